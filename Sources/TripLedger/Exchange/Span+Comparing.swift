extension Span<UInt8> {
    /// Returns whether two spans hold the same bytes.
    func isSame(as other: Span<UInt8>) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }
}
