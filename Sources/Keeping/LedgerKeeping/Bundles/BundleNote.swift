import Proofs

/// The text that the owner of a ledger signs for a bundle: the hash of its manifest, which names
/// all of its files (Formats, *Bundles*).
struct BundleNote {
    /// The first line: a tree head has the name of a log there, and a list of withheld entries has
    /// another title, so no text can be taken for another kind.
    private static let title = "ledger-bundle/v1"

    /// The name of the log, which is that of its owner's key.
    let origin: String

    /// The SHA-256 of the manifest.
    let manifest: Digest

    /// The text that is signed.
    var text: String {
        [Self.title, origin, Base64.text(manifest.array)].map { $0 + "\n" }.joined()
    }

    /// Returns the note, signed.
    static func signed(_ manifest: Digest, by key: SigningKey) -> SignedNote {
        let note = BundleNote(origin: key.name.description, manifest: manifest)
        return SignedNote(text: note.text, signatures: [key.signature(of: note.text)])
    }

    /// Checks that a note is about a manifest and signed by its owner.
    ///
    /// - Returns: What is wrong, as a sentence without a full stop; `nil` if nothing is.
    static func problem(
        of bytes: [UInt8],
        about manifest: Digest,
        by owner: VerifierKey
    ) -> String? {
        do throws(ProofDamage) {
            let note = try SignedNote(bytes)
            let expected = BundleNote(origin: owner.name.description, manifest: manifest)
            guard note.text == expected.text else {
                return "it is not about this manifest, or not by \(owner.name)"
            }
            guard owner.kind == .text, note.signatures.count == 1,
                try note.signatures(by: [owner]).count == 1
            else { return "it is not signed by \(owner.name) with that key" }
            return nil
        } catch {
            return "\(error)"
        }
    }
}
