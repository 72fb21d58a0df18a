extension Span<UInt8> {
    /// Returns a copy of part of the bytes.
    func bytes(in range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for position in range {
            copy.append(self[position])
        }
        return copy
    }
}
