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
