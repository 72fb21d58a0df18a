extension Span<UInt8> {
    /// Returns a copy of part of the bytes.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for position in range {
            copy.append(self[position])
        }
        return copy
    }

    /// Returns the little-endian number of the eight bytes at an offset.
    ///
    /// The bounds are checked once, so that the eight reads become two.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        let bytes = extracting(droppingFirst: offset).extracting(first: 8)
        precondition(bytes.count == 8, "the eight bytes must be there")
        let low =
            UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
            | UInt64(bytes[3]) << 24
        let high =
            UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16
            | UInt64(bytes[7]) << 24
        return low | high << 32
    }
}
