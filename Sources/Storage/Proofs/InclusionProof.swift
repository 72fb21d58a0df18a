/// A proof that a log holds an entry at a position: a file `….tlog-proof` (C2SP tlog-proof@v1).
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

    /// Further bytes in the file, which the proof does not cover.
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

/// The two halves of a proof file: lines, and behind the first empty line a signed head.
struct ProofParts {
    /// The lines above.
    let lines: [Substring]

    /// The note below.
    let note: [UInt8]

    init(_ bytes: [UInt8]) throws(ProofDamage) {
        let gap = bytes.indices.dropLast()
            .first {
                bytes[$0] == UInt8(ascii: "\n") && bytes[$0 + 1] == UInt8(ascii: "\n")
            }
        guard let gap else { throw ProofDamage("a proof has an empty line above its head") }
        guard let text = String(validating: bytes[..<gap], as: UTF8.self) else {
            throw ProofDamage("a proof is UTF-8, and this is not")
        }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        note = Array(bytes[(gap + 2)...])
    }

    /// Reads hashes, each on a line of its own.
    static func path(
        _ lines: ArraySlice<Substring>,
        maximumCount: Int
    ) throws(ProofDamage) -> [Digest] {
        guard lines.count <= maximumCount else {
            throw ProofDamage("a proof has at most \(maximumCount) hashes")
        }
        var path: [Digest] = []
        for line in lines {
            guard let hash = Base64.bytes(line).flatMap({ Digest($0) }) else {
                throw ProofDamage("a hash is not 32 bytes in base64")
            }
            path.append(hash)
        }
        return path
    }

    /// Writes hashes, each on a line of its own.
    static func text(of path: [Digest]) -> String {
        path.map { Base64.text($0.array) + "\n" }.joined()
    }
}

/// An error: a text does not have the form that its format demands.
package struct ProofDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
