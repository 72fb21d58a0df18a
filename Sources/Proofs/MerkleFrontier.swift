/// The roots of the maximal full subtrees of an RFC 6962 tree, largest first: one for each bit set
/// in the size.
///
/// It is all that appending leaves and computing the root need (Formats, *The tree*).
package struct MerkleFrontier: Hashable, Sendable {
    /// The root of the empty tree: SHA-256 of the empty string.
    package static let emptyRoot = SHA256.digest([UInt8]().span)

    /// The number of leaves under one row of the table `tree`.
    package static let subtreeWidth: UInt64 = 256

    private static let subtreeLevel = 8

    /// The number of leaves.
    package private(set) var size: UInt64

    /// The roots of the full subtrees, largest first.
    package private(set) var roots: [Digest]

    /// Creates the frontier of the empty tree.
    package init() {
        size = 0
        roots = []
    }

    /// Creates a frontier from its parts, or returns `nil` if there is not one root per bit of
    /// `size`.
    package init?(size: UInt64, roots: [Digest]) {
        guard roots.count == size.nonzeroBitCount else { return nil }
        self.size = size
        self.roots = roots
    }

    /// Adds a leaf at the end.
    ///
    /// - Returns: The root of the 256-leaf subtree that this leaf completes, if it completes one.
    package mutating func append(_ leaf: Digest) -> Digest? {
        var hash = leaf
        var level = 0
        var completed: Digest?
        while size >> UInt64(level) & 1 == 1, let left = roots.popLast() {
            hash = SHA256.node(left, hash)
            level += 1
            if level == Self.subtreeLevel {
                completed = hash
            }
        }
        roots.append(hash)
        size += 1
        return completed
    }

    /// The root of the whole tree.
    package var root: Digest {
        guard var root = roots.last else { return Self.emptyRoot }
        for left in roots.dropLast().reversed() {
            root = SHA256.node(left, root)
        }
        return root
    }

    /// The size of the tree and its root.
    package var head: TreeHead {
        TreeHead(size: size, root: root)
    }
}

/// The size and root hash that commit to a whole log.
package struct TreeHead: Hashable, Sendable {
    /// How many entries the log holds.
    package var size: UInt64

    /// The root of the RFC 6962 tree over them.
    package var root: Digest

    /// Creates a tree head.
    package init(size: UInt64, root: Digest) {
        self.size = size
        self.root = root
    }
}
