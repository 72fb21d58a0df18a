/// A QR code (ISO/IEC 18004): bytes as a square of dark and light modules that a camera can read.
///
/// It is always of error correction level M, which withstands damage to 15% of it.
package struct QRCode: Hashable, Sendable {
    /// The modules, row by row; dark ones are `true`.
    package let modules: [[Bool]]

    /// The number of modules on a side.
    package var side: Int { modules.count }

    /// Encodes bytes in the smallest version that holds them.
    ///
    /// - Returns: `nil` if there are more than 2,331 bytes, which the largest version holds.
    package init?(_ bytes: [UInt8]) {
        guard let version = (1...40).map(QRVersion.init).first(where: { $0.holds(bytes.count) })
        else { return nil }
        let codewords = QRCodewords(bytes, in: version).interleaved
        let empty = QRMatrix(version)
        let drawn = (0..<8)
            .map { mask in
                var matrix = empty
                matrix.draw(codewords, mask: mask)
                return (modules: matrix.modules, penalty: matrix.penalty)
            }
        // If several are equally good, the first is taken.
        let best = drawn.min { $0.penalty < $1.penalty }
        modules = best?.modules ?? []
    }

    /// The code for a terminal: two rows of modules on a line, with the margin of four modules that
    /// cameras need.
    ///
    /// Light modules are drawn and dark ones left out, so that a dark screen shows the code as it
    /// should be; most cameras also read the inverse that a light screen shows.
    package var text: String {
        let margin = 4
        let range = -margin..<side + margin
        var text = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): text += "\u{2588}"
                case (true, false): text += "\u{2580}"
                case (false, true): text += "\u{2584}"
                case (false, false): text += " "
                }
            }
            text += "\n"
        }
        return text
    }

    /// The code as a picture (SVG 1.1): dark on light in any surroundings, with the margin of four
    /// modules that cameras need, and without a size of its own.
    package var svg: String {
        let margin = 4
        var path = ""
        for (row, modules) in modules.enumerated() {
            var column = 0
            while column < side {
                let run = modules[column...].prefix { $0 }.count
                if run > 0 { path += "M\(column) \(row)h\(run)v1h-\(run)z" }
                column += max(1, run)
            }
        }
        let box = "\(-margin) \(-margin) \(side + 2 * margin) \(side + 2 * margin)"
        let place = "x=\"\(-margin)\" y=\"\(-margin)\" width=\"100%\" height=\"100%\""
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(box)\" "
            + "shape-rendering=\"crispEdges\"><rect \(place) fill=\"#fff\"/>"
            + "<path d=\"\(path)\" fill=\"#000\"/></svg>"
    }

    private func isLight(_ row: Int, _ column: Int) -> Bool {
        guard modules.indices.contains(row), modules.indices.contains(column) else { return true }
        return !modules[row][column]
    }
}

/// The bytes of a QR code: data in blocks, each with its error correction.
struct QRCodewords {
    /// Data of all blocks, a byte of each in turn, then error correction in the same way.
    let interleaved: [UInt8]

    /// Arranges bytes, which MUST fit.
    init(_ bytes: [UInt8], in version: QRVersion) {
        let data = Self.data(bytes, in: version)
        let shortCount = version.blockCount - version.codewordCount % version.blockCount
        let shortLength = version.codewordCount / version.blockCount - version.correctionCount
        var rest = data[...]
        let blocks = (0..<version.blockCount)
            .map { index in
                let block = Array(rest.prefix(shortLength + (index < shortCount ? 0 : 1)))
                rest = rest.dropFirst(block.count)
                return block
            }
        let code = ReedSolomonCode(correctionCount: version.correctionCount)
        let corrections = blocks.map(code.correction)
        interleaved = Self.dealt(blocks) + Self.dealt(corrections)
    }

    /// Mode, length, bytes, end, and padding up to the version's size.
    private static func data(_ bytes: [UInt8], in version: QRVersion) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ number: Int, bitCount: Int) {
            for bit in (0..<bitCount).reversed() { bits.append(number >> bit & 1 == 1) }
        }
        append(0b0100, bitCount: 4)
        append(bytes.count, bitCount: version.lengthBitCount)
        for byte in bytes { append(Int(byte), bitCount: 8) }
        append(0, bitCount: min(4, 8 * version.dataCount - bits.count))
        append(0, bitCount: (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8)
            .map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
        var padding: UInt8 = 0xEC
        while data.count < version.dataCount {
            data.append(padding)
            padding ^= 0xEC ^ 0x11
        }
        return data
    }

    private static func dealt(_ blocks: [[UInt8]]) -> [UInt8] {
        let length = blocks.map(\.count).max() ?? 0
        return (0..<length)
            .flatMap { index in
                blocks.filter { index < $0.count }.map { $0[index] }
            }
    }
}

/// The error correction of QR codes: Reed–Solomon over the field of 256 elements that
/// x⁸ + x⁴ + x³ + x² + 1 makes.
struct ReedSolomonCode {
    /// The generator's coefficients without the first, which is 1, highest power first.
    private let generator: [UInt8]

    init(correctionCount: Int) {
        var generator = [UInt8](repeating: 0, count: correctionCount)
        generator[correctionCount - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<correctionCount {
            for index in generator.indices {
                generator[index] = Self.product(generator[index], root)
                if index + 1 < generator.count { generator[index] ^= generator[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    /// Returns the remainder of the data, as a polynomial, divided by the generator.
    func correction(_ data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices {
                remainder[index] ^= Self.product(generator[index], factor)
            }
        }
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= (Int(right) >> bit & 1) * Int(left)
        }
        return UInt8(truncatingIfNeeded: product)
    }
}
