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

    /// Whether there is a signature that holds by the log's owner, who must have the origin's name.
    ///
    /// - Throws: `ProofDamage` if the signature is wrong.
    package func isSigned(by owner: VerifierKey) throws(ProofDamage) -> Bool {
        guard owner.kind == .text, owner.name.isOrigin(content.origin) else { return false }
        return try !note.signatures(by: [owner]).isEmpty
    }
}
