/// A proof that a log has only grown since an older head, with the newer head: the request that
/// C2SP tlog-witness defines for witnesses.
package struct ConsistencyProof: Hashable, Sendable {
    private static let maximumPathCount = 63

    /// The size of the older log; 0 if there is none.
    package let olderSize: UInt64

    /// The hashes that both roots are made of.
    package let path: [Digest]

    /// The newer head.
    package let head: SignedHead

    /// Creates a proof.
    package init(olderSize: UInt64, path: [Digest], head: SignedHead) {
        self.olderSize = olderSize
        self.path = path
        self.head = head
    }

    /// Reads a proof; nothing in it is checked but its form.
    ///
    /// - Throws: `ProofDamage` if `bytes` are not exactly one.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        let parts = try ProofParts(bytes)
        guard let line = parts.lines.first, line.hasPrefix("old "),
            let size = DecimalNumber.read(line.dropFirst(4))
        else { throw ProofDamage("a proof begins with old and a whole number") }
        olderSize = size
        path = try ProofParts.path(parts.lines.dropFirst(), maximumCount: Self.maximumPathCount)
        head = try SignedHead(parts.note)
    }

    /// The proof as it is stored and sent.
    package var bytes: [UInt8] {
        let text = "old \(olderSize)\n" + ProofParts.text(of: path) + "\n"
        return Array(text.utf8) + head.note.bytes
    }

    /// Returns whether the newer log begins with the older one.
    package func isValid(since older: TreeHead) -> Bool {
        guard older.size == olderSize else { return false }
        // Every log begins with the empty one, so there is nothing to prove.
        if olderSize == 0 { return path.isEmpty && older.root == MerkleFrontier.emptyRoot }
        return MerkleProof.isConsistent(older: older, newer: head.head, path: path)
    }
}
