@testable import Proofs

/// Signed notes, heads, keys and cosignatures.
///
/// A note that can be read is written as the same bytes, and no signature holds unless it was made.
enum NoteTarget {
    /// A key that has signed none of the inputs.
    private static let stranger = SigningKey(name: name, seed: seed)

    static func check(_ input: [UInt8]) {
        if let note = try? SignedNote(input) {
            expect(note.bytes == input, "a note is written as another")
            checkSignatures(note)
        }
        if let head = try? SignedHead(input) {
            expect(head.note.bytes == input, "a signed head is written as another")
            expect(head.content.text.utf8.elementsEqual(head.note.text.utf8), "two heads in one")
            checkSigning(head)
        }
        guard let text = String(validating: input, as: UTF8.self) else { return }
        if let content = try? HeadNote(text) {
            expect(content.text.utf8.elementsEqual(text.utf8), "a head is written as another")
        }
        if let key = VerifierKey(text) {
            expect(key.description.utf8.elementsEqual(input), "a key is written as another")
            expect(key.fingerprint.utf8.count == 47, "a fingerprint is eight numbers")
        }
        if let key = SigningKey(secretText: text) {
            expect(key.secretText.utf8.elementsEqual(input), "a private key is written as another")
        }
    }

    private static func checkSignatures(_ note: SignedNote) {
        let owner = stranger.verifier(.text)
        let witness = stranger.verifier(.cosignature)
        expect(
            note.signatures.allSatisfy { !$0.names(owner) && !$0.names(witness) }
                || (try? note.signatures(by: [owner, witness]))?.isEmpty != false,
            "a signature holds that nobody made"
        )
        expect(note.cosignedAt(by: witness) == nil, "a cosignature holds that nobody made")
        for signature in note.signatures { _ = (signature.isCosignature, signature.cosignedAt) }
    }

    /// Signs a head that was read: the owner's signature holds for it, and for no other text.
    private static func checkSigning(_ head: SignedHead) {
        var note = head.note
        note.add(stranger.signature(of: note.text))
        let owner = stranger.verifier(.text)
        expect((try? note.signatures(by: [owner]))?.count == 1, "a signature does not hold")
        guard note.signatures.count <= SignedNote.maximumSignatureCount,
            note.bytes.count <= SignedNote.maximumByteCount
        else { return }
        expect((try? SignedNote(note.bytes)) == note, "a note that was signed cannot be read")
    }

    private static var name: KeyName {
        guard let name = KeyName("stranger.example") else { fatalError("this is a name") }
        return name
    }

    private static var seed: SigningSeed {
        guard let seed = SigningSeed(Array(0..<32)) else { fatalError("a seed has 32 bytes") }
        return seed
    }
}
