/// The first 32 bytes of a block (Formats, *Blocks*).
struct BlockHeader: Hashable, Sendable {
    static let byteCount = 32
    static let version: UInt8 = 1

    /// What one LMDB overflow page holds, and so the most that a block of several entries has.
    static let maximumLength = 4_080

    /// As many entries as the shortest leave room for.
    static let maximumCount =
        (maximumLength - byteCount) / EntryView.minimumByteCount

    /// What a span of 2^32 − 1 ms stands for: that long or longer.
    static let longestSpan = Int64(UInt32.max)

    var checksum: UInt32
    var count: Int
    var version: UInt8
    var flags: UInt8
    var length: Int
    var span: UInt32
    var baseTime: Int64
    var firstPosition: UInt64

    /// Reads a header, or returns `nil` if there are not enough bytes.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= Self.byteCount else { return nil }
        checksum = UInt32(truncatingIfNeeded: Self.read(bytes, at: 0, width: 4))
        count = Int(Self.read(bytes, at: 4, width: 2))
        version = bytes[6]
        flags = bytes[7]
        length = Int(Self.read(bytes, at: 8, width: 4))
        span = UInt32(truncatingIfNeeded: Self.read(bytes, at: 12, width: 4))
        baseTime = Int64(bitPattern: Self.read(bytes, at: 16, width: 8))
        firstPosition = Self.read(bytes, at: 24, width: 8)
    }

    /// Creates the header of a block without its checksum.
    init(count: Int, length: Int, times: ClosedRange<Int64>, firstPosition: UInt64) {
        checksum = 0
        self.count = count
        version = Self.version
        flags = 0
        self.length = length
        span = UInt32(min(times.upperBound - times.lowerBound, Self.longestSpan))
        baseTime = times.lowerBound
        self.firstPosition = firstPosition
    }

    /// Writes the header over the first 32 of `bytes`.
    func write(to bytes: inout [UInt8]) {
        Self.write(UInt64(checksum), to: &bytes, at: 0, width: 4)
        Self.write(UInt64(count), to: &bytes, at: 4, width: 2)
        bytes[6] = version
        bytes[7] = flags
        Self.write(UInt64(length), to: &bytes, at: 8, width: 4)
        Self.write(UInt64(span), to: &bytes, at: 12, width: 4)
        Self.write(UInt64(bitPattern: baseTime), to: &bytes, at: 16, width: 8)
        Self.write(firstPosition, to: &bytes, at: 24, width: 8)
    }

    /// Returns the block that this header and what follows it make up, with its checksum.
    func sealing(_ content: [UInt8]) -> [UInt8] {
        var bytes = Array(repeating: UInt8(0), count: Self.byteCount) + content
        seal(&bytes)
        return bytes
    }

    /// Writes the header, completed by the checksum, over the first 32 of a block's bytes.
    func seal(_ bytes: inout [UInt8]) {
        var header = self
        header.write(to: &bytes)
        header.checksum = Checksum.crc32c(bytes.span.extracting(droppingFirst: 4))
        header.write(to: &bytes)
    }

    private static func read(_ bytes: Span<UInt8>, at offset: Int, width: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<width {
            value |= UInt64(bytes[offset + index]) << UInt64(8 * index)
        }
        return value
    }

    private static func write(
        _ value: UInt64,
        to bytes: inout [UInt8],
        at offset: Int,
        width: Int
    ) {
        for index in 0..<width {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
        }
    }
}
