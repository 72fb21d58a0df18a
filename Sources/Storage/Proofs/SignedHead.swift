/// A tree head with the signatures of the log's owner and of witnesses: a C2SP checkpoint.
package struct SignedHead: Hashable, Sendable {
    /// What is signed.
    package let content: HeadNote

    /// The note: text and signatures.
    package private(set) var note: SignedNote

    /// Creates a head with these signatures, which are not checked.
    package init(_ content: HeadNote, signatures: [NoteSignature]) {
        self.content = content
        note = SignedNote(text: content.text, signatures: signatures)
    }

    /// Reads a signed head; signatures are not checked.
    ///
    /// - Throws: `ProofDamage` if `bytes` are not exactly one.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        note = try SignedNote(bytes)
        content = try HeadNote(note.text)
    }

    /// The size and root of the log.
    package var head: TreeHead { content.head }

    /// Adds a signature, in the place of an older one by the same key.
    package mutating func add(_ signature: NoteSignature) {
        note.add(signature)
    }

    /// Returns whether the log's owner has signed it; the owner's key MUST have the origin's name.
    ///
    /// - Throws: `ProofDamage` if the signature is wrong.
    package func isSigned(by owner: VerifierKey) throws(ProofDamage) -> Bool {
        guard owner.kind == .text, owner.name.isOrigin(content.origin) else { return false }
        return try !note.signatures(by: [owner]).isEmpty
    }
}

/// The text that the owner of a log signs: the log's origin and a tree head (the text of a C2SP
/// checkpoint).
package struct HeadNote: Hashable, Sendable {
    /// The name of the log: a line that is not empty; for a ledger the name of its key.
    package let origin: String

    /// The size and root of the log.
    package let head: TreeHead

    /// Further lines, which have no meaning for a ledger but are signed too.
    package let extensionLines: [String]

    /// Creates a head note without further lines.
    package init(origin: KeyName, head: TreeHead) {
        self.origin = origin.description
        self.head = head
        extensionLines = []
    }

    /// Reads the text of a note.
    ///
    /// - Throws: `ProofDamage` if it is not exactly a head note's.
    package init(_ text: String) throws(ProofDamage) {
        guard text.hasSuffix("\n") else { throw ProofDamage("a head ends with a line feed") }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3 else {
            throw ProofDamage("a head has three lines: origin, size and root")
        }
        guard !lines[0].isEmpty else { throw ProofDamage("the head names no origin") }
        guard let size = DecimalNumber.read(lines[1]) else {
            throw ProofDamage("the head's size is no whole number below 2^63")
        }
        guard let root = Base64.bytes(lines[2]).flatMap({ Digest($0) }) else {
            throw ProofDamage("the head's root is not 32 bytes in base64")
        }
        guard lines.dropFirst(3).allSatisfy({ !$0.isEmpty }) else {
            throw ProofDamage("the head has an empty line")
        }
        guard size > 0 || root == MerkleFrontier.emptyRoot else {
            throw ProofDamage("the head's root is not that of an empty log")
        }
        origin = String(lines[0])
        head = TreeHead(size: size, root: root)
        extensionLines = lines.dropFirst(3).map { String($0) }
    }

    /// The note's text.
    package var text: String {
        let lines = [origin, String(head.size), Base64.text(head.root.array)]
        return (lines + extensionLines).map { $0 + "\n" }.joined()
    }

    /// Returns whether two texts have the same bytes; what only looks alike is signed differently.
    package static func == (left: HeadNote, right: HeadNote) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Feeds the text's bytes to a hasher.
    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    /// Returns the head, signed by a key of the same name.
    package func signed(by key: SigningKey) -> SignedHead {
        precondition(key.name.isOrigin(origin), "a key signs heads of its own log")
        return SignedHead(self, signatures: [key.signature(of: text)])
    }
}
