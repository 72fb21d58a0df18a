import Proofs

/// The tree over the entries that an audit has read, one 256-leaf subtree at a time.
///
/// Where entries are missing or damaged, the stored root is used for their subtree, so that the
/// rest can still be compared with the root of the whole.
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

    /// Whether the root of a subtree is unknown, so that the root of the whole is unknown too.
    private(set) var hasLostRoot = false

    init() {
        leaves.reserveCapacity(Int(Self.width))
    }

    /// Continues a tree of which all leaves are known.
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
    /// - Parameter stored: The stored root of the subtree, if there is one.
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

    /// Skips the leaves up to `position`, which MUST be in the same subtree or at its end.
    mutating func skip(to position: UInt64) {
        hasHole = true
        size = position
    }

    /// Gives up the root of the whole and continues at the start of another subtree.
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

/// Extends a log's tree by blocks as they are completed.
struct TreeBuilder: Sendable {
    /// The tree over all entries so far.
    private(set) var frontier: MerkleFrontier

    /// The roots of the 256-leaf subtrees that were completed, in order.
    private(set) var subtreeRoots: [Digest] = []

    /// The number of the first of those subtrees.
    let firstSubtree: UInt64

    /// Continues a tree.
    init(_ frontier: MerkleFrontier) {
        self.frontier = frontier
        firstSubtree = frontier.size / MerkleFrontier.subtreeWidth
    }

    /// Adds the entries of a plain block that the tree does not have yet; they MUST follow the last
    /// one that it has.
    ///
    /// - Throws: `EventLogError.damaged` if it is no block.
    mutating func add(_ block: [UInt8]) throws(EventLogError) {
        let bytes = block.span
        guard let header = BlockHeader(bytes) else {
            throw .damaged(position: frontier.size, "the block is shorter than its header")
        }
        var entries = EntryIterator(
            bytes.extracting(droppingFirst: BlockHeader.byteCount),
            firstPosition: header.firstPosition,
            count: header.count
        )
        // A local copy, which the optimizer can keep in registers.
        var frontier = frontier
        defer { self.frontier = frontier }
        while true {
            let position = entries.position
            guard let entry = try entries.next() else { return }
            guard position >= frontier.size else { continue }
            precondition(position == frontier.size, "positions are gapless")
            if let root = frontier.append(entry.leafHash) { subtreeRoots.append(root) }
        }
    }
}
