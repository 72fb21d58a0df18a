import Proofs

/// Grows the tree over entries as an audit meets them, one 256-leaf subtree at a time.
///
/// Where entries are missing or damaged, the stored root stands in for their subtree, so that the
/// rest can still be held against the root of the whole.
struct SubtreeHasher {
    private static let width = MerkleFrontier.subtreeWidth

    /// The roots of the full subtrees so far, each as one leaf.
    private(set) var subtrees = MerkleFrontier()

    /// The leaves of the subtree that is being filled.
    private(set) var leaves: [Digest] = []

    /// The position after the last leaf.
    private(set) var size: UInt64 = 0

    /// Whether a leaf of the subtree that is being filled is missing.
    private(set) var hasHole = false

    /// Whether nothing could stand in for a subtree, so that the root cannot be known any more.
    private(set) var hasLostRoot = false

    init() {
        leaves.reserveCapacity(Int(Self.width))
    }

    /// Takes up a tree whose leaves were all known.
    init(subtrees: MerkleFrontier, leaves: [Digest]) {
        self.subtrees = subtrees
        self.leaves = leaves
        size = subtrees.size * Self.width + UInt64(leaves.count)
    }

    /// Whether the last leaf completed a subtree.
    var isAtSubtreeEnd: Bool { size % Self.width == 0 }

    /// Adds the next leaf; the caller closes a full subtree before the one after it.
    mutating func append(_ leaf: Digest) {
        leaves.append(leaf)
        size += 1
    }

    /// Closes a full subtree.
    ///
    /// - Parameter stored: The root that is stored for it, if there is one.
    /// - Returns: The root that its leaves have, or `nil` if not all of them are known.
    mutating func closeSubtree(stored: Digest?) -> Digest? {
        let root = hasHole ? nil : Self.root(&leaves)
        leaves.removeAll(keepingCapacity: true)
        hasHole = false
        if let known = root ?? stored {
            _ = subtrees.append(known)
        } else {
            hasLostRoot = true
        }
        return root
    }

    /// Leaves out the leaves up to `position`, which lies in the same subtree or at its end.
    mutating func skip(to position: UInt64) {
        hasHole = true
        size = position
    }

    /// Gives up the root and goes on at the start of another subtree.
    mutating func abandonRoot(at position: UInt64) {
        leaves.removeAll(keepingCapacity: true)
        hasLostRoot = true
        hasHole = false
        size = position
    }

    /// The frontier over all leaves, or `nil` if it cannot be known.
    var frontier: MerkleFrontier? {
        guard !hasHole, !hasLostRoot else { return nil }
        var partial = MerkleFrontier()
        for leaf in leaves { _ = partial.append(leaf) }
        return MerkleFrontier(size: size, roots: subtrees.roots + partial.roots)
    }

    /// Returns the root over a full subtree's leaves, level by level, in their place.
    private static func root(_ leaves: inout [Digest]) -> Digest {
        var count = leaves.count
        while count > 1 {
            count /= 2
            for index in 0..<count {
                leaves[index] = SHA256.node(leaves[2 * index], leaves[2 * index + 1])
            }
        }
        return leaves[0]
    }
}
