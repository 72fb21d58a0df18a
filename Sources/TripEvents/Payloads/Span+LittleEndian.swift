extension Span<UInt8> {
    /// Returns the unsigned little-endian number of up to eight bytes at an offset.
    @inlinable @inline(__always)
    func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for position in offset..<offset + bytes {
            number |= UInt64(self[position]) << shift
            shift += 8
        }
        return number
    }

    /// Returns whether the bytes from an offset on are those of a range of other bytes.
    @inline(__always)
    func hasSameBytes(at offset: Int, as other: Span<UInt8>, in range: Range<Int>) -> Bool {
        var position = 0
        while position + 8 <= range.count {
            guard word(at: offset + position) == other.word(at: range.lowerBound + position)
            else { return false }
            position += 8
        }
        while position < range.count {
            guard self[offset + position] == other[range.lowerBound + position] else {
                return false
            }
            position += 1
        }
        return true
    }
}
