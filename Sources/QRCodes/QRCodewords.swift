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
