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

/// Checks inclusion and consistency proofs (RFC 9162 §2.1.3.2 and §2.1.4.2).
///
/// Digests are 32 bytes by type, and a proof of any other length than the tree's shape demands is
/// refused first (transparency-dev/merkle, proof/verify.go).
package enum MerkleProof {
    /// Returns whether `path` proves that `leaf` is at `index` in the tree of this head.
    package static func isIncluded(
        _ leaf: Digest,
        at index: UInt64,
        in head: TreeHead,
        path: [Digest]
    ) -> Bool {
        guard index < head.size, path.count == inclusionLength(index: index, size: head.size) else {
            return false
        }
        var node = index
        var last = head.size - 1
        var root = leaf
        for sibling in path {
            if node & 1 == 1 || node == last {
                root = SHA256.node(sibling, root)
                climb(&node, &last)
            } else {
                root = SHA256.node(root, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && root == head.root
    }

    /// Returns whether `path` proves that the log of `newer` begins with the log of `older`.
    ///
    /// Logs of one size need an empty proof and one root. An empty older log is refused: it begins
    /// every log, so there is nothing to prove.
    package static func isConsistent(
        older: TreeHead,
        newer: TreeHead,
        path: [Digest]
    ) -> Bool {
        guard older.size > 0, older.size <= newer.size else { return false }
        if older.size == newer.size { return path.isEmpty && older.root == newer.root }
        let isPowerOfTwo = older.size & (older.size - 1) == 0
        let hashes = isPowerOfTwo ? [older.root] + path : path
        guard !path.isEmpty, let first = hashes.first else { return false }
        var node = older.size - 1
        var last = newer.size - 1
        while node & 1 == 1 {
            node >>= 1
            last >>= 1
        }
        var olderRoot = first
        var newerRoot = first
        for hash in hashes.dropFirst() {
            guard last != 0 else { return false }
            if node & 1 == 1 || node == last {
                olderRoot = SHA256.node(hash, olderRoot)
                newerRoot = SHA256.node(hash, newerRoot)
                climb(&node, &last)
            } else {
                newerRoot = SHA256.node(newerRoot, hash)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && olderRoot == older.root && newerRoot == newer.root
    }

    /// The number of hashes in an inclusion proof: those inside the smallest subtree that holds the
    /// leaf and the last leaf, and one for each larger subtree to the left.
    private static func inclusionLength(index: UInt64, size: UInt64) -> Int {
        let inner = UInt64.bitWidth - (index ^ (size - 1)).leadingZeroBitCount
        let border = inner == 64 ? 0 : (index >> UInt64(inner)).nonzeroBitCount
        return inner + border
    }

    /// Skips the levels at which a right-most node has no sibling.
    private static func climb(_ node: inout UInt64, _ last: inout UInt64) {
        guard node & 1 == 0 else { return }
        repeat {
            node >>= 1
            last >>= 1
        } while node & 1 == 0 && node != 0
    }
}
