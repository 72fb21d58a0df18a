extension Span<UInt8> {
    /// The number whose eight bytes stand at `offset`, lowest first.
    @inlinable @inline(__always)
    func littleEndian(at offset: Int) -> UInt64 {
        // Checked to lie within the span; every pattern of bits is a number.
        unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        )
    }

    /// The number whose eight bytes stand at `offset`, highest first.
    func bigEndian(at offset: Int) -> UInt64 {
        littleEndian(at: offset).byteSwapped
    }

    /// Returns whether two spans hold the same bytes.
    func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] {
            return false
        }
        return true
    }
}
