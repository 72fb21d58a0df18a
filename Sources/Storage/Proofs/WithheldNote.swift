/// The text that the owner of a log signs for a copy from which entries are withheld: it names the
/// log, its head and the positions of these entries (Formats, *Exports*).
///
/// Without it anyone who has the log could withhold entries from a copy, whose root stays the same.
package struct WithheldNote: Hashable, Sendable {
    /// The first line.
    ///
    /// Where this text has a number, a tree head has its third line, a hash, so neither text can be
    /// taken for the other.
    private static let title = "ledger-withheld/v1"

    /// The name of the log, which is that of its owner's key.
    package let origin: String

    /// The position of the copy's first entry.
    package let from: UInt64

    /// The size and root of the log at the copy's end.
    package let head: TreeHead

    /// The commitment to the entries that are withheld.
    package let positions: WithheldPositions

    /// Creates the text that is signed.
    package init(
        origin: KeyName,
        from: UInt64,
        head: TreeHead,
        positions: WithheldPositions
    ) {
        self.origin = origin.description
        self.from = from
        self.head = head
        self.positions = positions
    }

    /// Reads the text of a note.
    ///
    /// - Throws: `ProofDamage` if it is not exactly such a text.
    init(_ text: String) throws(ProofDamage) {
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 7, lines[0] == Self.title, !lines[1].isEmpty else {
            throw ProofDamage("it is no list of withheld entries")
        }
        guard let from = DecimalNumber.read(lines[2]), let size = DecimalNumber.read(lines[3]),
            let root = Base64.bytes(lines[4]).flatMap({ Digest($0) }),
            let count = DecimalNumber.read(lines[5]),
            let positions = Base64.bytes(lines[6]).flatMap({ Digest($0) })
        else { throw ProofDamage("a list of withheld entries has another form") }
        origin = String(lines[1])
        self.from = from
        head = TreeHead(size: size, root: root)
        self.positions = WithheldPositions(count: count, root: positions)
    }

    /// The note's text.
    package var text: String {
        [
            Self.title, origin, String(from), String(head.size), Base64.text(head.root.array),
            String(positions.count), Base64.text(positions.root.array),
        ]
        .map { $0 + "\n" }.joined()
    }

    /// Returns the note, signed by a key of the log's name.
    package func signed(by key: SigningKey) -> SignedWithheld {
        precondition(key.name.isOrigin(origin), "a key signs for its own log")
        return SignedWithheld(self, signatures: [key.signature(of: text)])
    }
}

/// A commitment to the withheld entries: their number, and the RFC 6962 root over their positions,
/// each as eight bytes, lowest first, in ascending order.
package struct WithheldPositions: Hashable, Sendable {
    /// How many there are.
    package let count: UInt64

    /// The root over them.
    package let root: Digest

    init(count: UInt64, root: Digest) {
        self.count = count
        self.root = root
    }

    /// Closes a tree whose leaves are positions.
    package init(_ tree: PositionTree) {
        count = tree.frontier.size
        root = tree.frontier.root
    }
}

/// The tree over positions that come one after the other.
package struct PositionTree: Sendable {
    fileprivate var frontier = MerkleFrontier()

    /// Creates the tree over no positions.
    package init() {}

    /// Adds a position; positions MUST ascend.
    package mutating func append(_ position: UInt64) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: position >> UInt64(8 * $0)) }
        _ = frontier.append(SHA256.leaf(bytes.span))
    }
}

/// A list of withheld entries with the signature of the log's owner.
package struct SignedWithheld: Hashable, Sendable {
    /// What is signed.
    package let content: WithheldNote

    /// The note: text and signatures.
    package let note: SignedNote

    init(_ content: WithheldNote, signatures: [NoteSignature]) {
        self.content = content
        note = SignedNote(text: content.text, signatures: signatures)
    }

    /// Reads a note; signatures are not checked.
    ///
    /// - Throws: `ProofDamage` if `bytes` are not exactly one.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        note = try SignedNote(bytes)
        content = try WithheldNote(note.text)
    }

    /// Returns whether the log's owner has signed it; the owner's key MUST have the origin's name.
    ///
    /// - Throws: `ProofDamage` if the signature is wrong.
    package func isSigned(by owner: VerifierKey) throws(ProofDamage) -> Bool {
        guard owner.kind == .text, owner.name.isOrigin(content.origin) else { return false }
        return try !note.signatures(by: [owner]).isEmpty
    }
}
