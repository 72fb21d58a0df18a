/// The hash of a range of leaves and the proofs made of such hashes, as RFC 6962 §2.1 defines them,
/// over leaves that a closure returns.
package struct MerkleTree<Failure: Error> {
    /// The number of leaves.
    package let size: UInt64

    /// Returns the root over the leaves of a full subtree or a single leaf.
    ///
    /// The closure may return stored hashes; if it returns `nil` for a range, the tree splits the
    /// range. It MUST return the hash of every single leaf.
    private let stored: (Range<UInt64>) throws(Failure) -> Digest?

    /// Creates a tree of `size` leaves with the hashes that `stored` returns.
    package init(size: UInt64, stored: @escaping (Range<UInt64>) throws(Failure) -> Digest?) {
        self.size = size
        self.stored = stored
    }

    /// Returns `MTH(D[range])`.
    package func root(_ range: Range<UInt64>) throws(Failure) -> Digest {
        guard !range.isEmpty else { return MerkleFrontier.emptyRoot }
        if let known = try stored(range) { return known }
        precondition(range.count > 1, "a single leaf must be known")
        let middle = Self.split(range)
        return SHA256.node(
            try root(range.lowerBound..<middle),
            try root(middle..<range.upperBound)
        )
    }

    /// Returns the inclusion proof `PATH(index, D[0:size])`: the leaf's sibling first.
    package func inclusionProof(of index: UInt64) throws(Failure) -> [Digest] {
        precondition(index < size, "the leaf must be in the tree")
        return try path(to: index, in: 0..<size)
    }

    /// Returns the consistency proof `PROOF(older, D[0:size])`, for 0 < `older` ≤ `size`.
    package func consistencyProof(from older: UInt64) throws(Failure) -> [Digest] {
        precondition(older > 0 && older <= size, "the older tree must be part of this one")
        return try subproof(older, in: 0..<size, isWhole: true)
    }

    private func path(to index: UInt64, in range: Range<UInt64>) throws(Failure) -> [Digest] {
        guard range.count > 1 else { return [] }
        let middle = Self.split(range)
        if index < middle {
            return try path(to: index, in: range.lowerBound..<middle)
                + [try root(middle..<range.upperBound)]
        }
        return try path(to: index, in: middle..<range.upperBound)
            + [try root(range.lowerBound..<middle)]
    }

    private func subproof(
        _ older: UInt64,
        in range: Range<UInt64>,
        isWhole: Bool
    ) throws(Failure) -> [Digest] {
        if older == range.upperBound {
            return isWhole ? [] : [try root(range)]
        }
        let middle = Self.split(range)
        if older <= middle {
            return try subproof(older, in: range.lowerBound..<middle, isWhole: isWhole)
                + [try root(middle..<range.upperBound)]
        }
        return try subproof(older, in: middle..<range.upperBound, isWhole: false)
            + [try root(range.lowerBound..<middle)]
    }

    /// Returns where a range splits: after the largest power of two smaller than its count.
    private static func split(_ range: Range<UInt64>) -> UInt64 {
        let last = range.upperBound - range.lowerBound - 1
        return range.lowerBound + (1 << UInt64(63 - last.leadingZeroBitCount))
    }
}
