/// The size of a QR code, 1 to 40, and the properties that follow from it at error correction level
/// M (ISO/IEC 18004, tables 1, 9 and E.1).
struct QRVersion: Hashable, Sendable {
    let number: Int

    private static let correctionCounts = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]

    private static let blockCounts = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
        25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]

    init(_ number: Int) {
        self.number = number
    }

    /// Modules on a side.
    var side: Int { 17 + 4 * number }

    /// Error correction codewords of each block.
    var correctionCount: Int { Self.correctionCounts[number - 1] }

    /// Blocks that the data is dealt to.
    var blockCount: Int { Self.blockCounts[number - 1] }

    /// Bits of the field that says how many bytes there are.
    var lengthBitCount: Int { number < 10 ? 8 : 16 }

    /// All codewords: the modules of the square without functional ones, in whole bytes.
    var codewordCount: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let alignments = number / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
            if number >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// Codewords for data.
    var dataCount: Int { codewordCount - correctionCount * blockCount }

    /// The centres of alignment patterns, both across and down.
    var alignmentCentres: [Int] {
        guard number >= 2 else { return [] }
        let count = number / 7 + 2
        let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
        return [6] + (0..<count - 1).map { side - 7 - $0 * step }.reversed()
    }

    /// Returns whether a number of bytes fits: four more bits give the mode.
    func holds(_ byteCount: Int) -> Bool {
        4 + lengthBitCount + 8 * byteCount <= 8 * dataCount
            && byteCount < 1 << lengthBitCount
    }
}
