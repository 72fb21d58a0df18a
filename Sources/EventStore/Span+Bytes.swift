extension Span<UInt8> {
    /// The number whose eight bytes stand at `offset`, lowest first.
    func littleEndian(at offset: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<8 {
            number |= UInt64(self[offset + index]) << UInt64(8 * index)
        }
        return number
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
