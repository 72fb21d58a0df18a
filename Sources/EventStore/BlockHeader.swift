internal import CChecksum

/// The first 32 bytes of a block (Formats, *Blocks*).
struct BlockHeader: Hashable, Sendable {
    static let byteCount = 32
    static let version: UInt8 = 1

    /// What one LMDB overflow page holds, and so the most that a block of several entries has.
    static let maximumLength = 4_080

    /// As many entries as the shortest leave room for.
    static let maximumCount =
        (maximumLength - byteCount) / EntryView.minimumByteCount

    /// The greatest span that is stored; it means that long or longer.
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
        let start = bytes.littleEndian(at: 0)
        let middle = bytes.littleEndian(at: 8)
        checksum = UInt32(truncatingIfNeeded: start)
        count = Int(start >> 32 & 0xFFFF)
        version = UInt8(truncatingIfNeeded: start >> 48)
        flags = UInt8(truncatingIfNeeded: start >> 56)
        length = Int(middle & 0xFFFF_FFFF)
        span = UInt32(truncatingIfNeeded: middle >> 32)
        baseTime = Int64(bitPattern: bytes.littleEndian(at: 16))
        firstPosition = bytes.littleEndian(at: 24)
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

/// CRC32C, the checksum of blocks and views: a fast test for damage, not for tampering.
package enum Checksum {
    /// Returns the CRC32C of `bytes` (RFC 3720 §12.1).
    package static func crc32c(_ bytes: Span<UInt8>) -> UInt32 {
        // The pointer lives as long as the call.
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe cchecksum_crc32c(buffer.baseAddress, buffer.count)
        }
    }
}
