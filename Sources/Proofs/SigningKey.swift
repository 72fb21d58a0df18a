/// A name with the secret that signs under it.
///
/// Its text is the private key of Go's golang.org/x/mod/sumdb/note:
/// `PRIVATE+KEY+name+id+base64(0x01 ‖ seed)`.
package struct SigningKey: Sendable {
    private static let prefix = "PRIVATE+KEY+"

    /// The name of the key.
    package let name: KeyName

    private let seed: SigningSeed

    /// Creates a key.
    package init(name: KeyName, seed: SigningSeed) {
        self.name = name
        self.seed = seed
    }

    /// Reads a private key, or returns `nil` if `text` is not one.
    package init?(secretText text: some StringProtocol) {
        let parts = text.parts(separatedBy: "+", atMost: 5)
        guard parts.count == 5, Self.prefix == "\(parts[0])+\(parts[1])+",
            let name = KeyName(parts[2]), let id = KeyID(parts[3]),
            let bytes = Base64.bytes(parts[4]), bytes.first == SignatureKind.text.rawValue,
            let seed = SigningSeed(Array(bytes.dropFirst()))
        else { return nil }
        self.init(name: name, seed: seed)
        guard verifier(.text).id == id else { return nil }
    }

    /// The key as text, which is secret.
    package var secretText: String {
        Self.prefix + "\(name)+\(verifier(.text).id)+"
            + Base64.text([SignatureKind.text.rawValue] + seed.bytes)
    }

    /// Returns what others check this key's signatures with.
    package func verifier(_ kind: SignatureKind) -> VerifierKey {
        VerifierKey(name: name, kind: kind, publicKey: Ed25519.publicKey(of: seed))
    }

    /// Signs the text of a note.
    package func signature(of text: String) -> NoteSignature {
        NoteSignature(
            by: verifier(.text),
            bytes: Ed25519.signature(of: Array(text.utf8), by: seed)
        )
    }

    /// Signs the text of a head note as a witness.
    ///
    /// - Parameters:
    ///   - text: The note's text.
    ///   - seconds: When, in seconds since 1970.
    /// - Returns: The signature with its time.
    package func cosignature(of text: String, at seconds: UInt64) -> NoteSignature {
        let message = NoteSignature.cosignedMessage(text, at: seconds)
        let time = (0..<8).map { UInt8(truncatingIfNeeded: seconds >> UInt64(56 - 8 * $0)) }
        return NoteSignature(
            by: verifier(.cosignature),
            bytes: time + Ed25519.signature(of: message, by: seed)
        )
    }
}

/// The 32 secret bytes of an Ed25519 key; anyone who knows them can sign.
///
/// Printing one does not show it.
package struct SigningSeed: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of bytes of a seed.
    package static let byteCount = 32

    /// The secret bytes.
    let bytes: [UInt8]

    /// Creates a seed from 32 random bytes, or returns `nil` if there are more or fewer.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A text without the secret.
    package var description: String { "a signing seed" }

    /// A mirror without children, so that reflection does not show the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
