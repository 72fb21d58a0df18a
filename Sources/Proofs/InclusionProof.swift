/// A proof that an entry stands at its place in a log: a file `….tlog-proof` (C2SP tlog-proof@v1).
///
/// The entry itself is not in it.
package struct InclusionProof: Hashable, Sendable {
    private static let title = "c2sp.org/tlog-proof@v1"
    private static let maximumPathCount = 63

    /// The entry's position.
    package let position: UInt64

    /// The hashes that lead from the entry's to the root.
    package let path: [Digest]

    /// The head that the hashes lead to.
    package let head: SignedHead

    /// Further bytes that came with the proof and that nothing vouches for.
    package let unprovenBytes: [UInt8]?

    /// Creates a proof.
    package init(position: UInt64, path: [Digest], head: SignedHead) {
        self.position = position
        self.path = path
        self.head = head
        unprovenBytes = nil
    }

    /// Reads a proof file; nothing in it is checked but its form.
    ///
    /// - Throws: `ProofDamage` if `bytes` are not exactly one.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        let parts = try ProofParts(bytes)
        var lines = parts.lines[...]
        guard lines.popFirst() == Self.title[...] else {
            throw ProofDamage("a proof begins with \(Self.title)")
        }
        if let line = lines.first, line.hasPrefix("extra ") {
            guard let extra = Base64.bytes(line.dropFirst(6)) else {
                throw ProofDamage("the line extra is not base64")
            }
            unprovenBytes = extra
            lines.removeFirst()
        } else {
            unprovenBytes = nil
        }
        guard let line = lines.popFirst(), line.hasPrefix("index "),
            let position = DecimalNumber.read(line.dropFirst(6))
        else { throw ProofDamage("a proof has a line index with a whole number") }
        self.position = position
        path = try ProofParts.path(lines, maximumCount: Self.maximumPathCount)
        head = try SignedHead(parts.note)
    }

    /// The proof as it is stored and sent.
    package var bytes: [UInt8] {
        var text = Self.title + "\n"
        if let unprovenBytes { text += "extra \(Base64.text(unprovenBytes))\n" }
        text += "index \(position)\n" + ProofParts.text(of: path) + "\n"
        return Array(text.utf8) + head.note.bytes
    }

    /// Returns whether the hashes lead from an entry's leaf hash to the root of the head.
    package func isValid(for leaf: Digest) -> Bool {
        MerkleProof.isIncluded(leaf, at: position, in: head.head, path: path)
    }
}
