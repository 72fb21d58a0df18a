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
}
