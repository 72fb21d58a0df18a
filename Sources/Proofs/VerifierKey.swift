/// What it takes to check somebody's signatures: the key's name, kind and public half.
///
/// Its text is the verifier key of C2SP signed-note: `name+id+base64(kind ‖ public key)`.
package struct VerifierKey: Hashable, Sendable, CustomStringConvertible {
    /// Who signs.
    package let name: KeyName

    /// What is signed.
    package let kind: SignatureKind

    /// The public key.
    package let publicKey: [UInt8]

    /// Creates a key; the public key MUST have 32 bytes.
    init(name: KeyName, kind: SignatureKind, publicKey: [UInt8]) {
        precondition(publicKey.count == Ed25519.publicKeyByteCount, "a public key has 32 bytes")
        self.name = name
        self.kind = kind
        self.publicKey = publicKey
    }

    /// Reads a verifier key, or returns `nil` if `text` is none, or of a kind that is not known.
    package init?(_ text: some StringProtocol) {
        let parts = text.parts(separatedBy: "+", atMost: 3)
        guard parts.count == 3, let name = KeyName(parts[0]), let id = KeyID(parts[1]),
            let bytes = Base64.bytes(parts[2]), let first = bytes.first,
            let kind = SignatureKind(rawValue: first),
            bytes.count == 1 + Ed25519.publicKeyByteCount
        else { return nil }
        self.init(name: name, kind: kind, publicKey: Array(bytes.dropFirst()))
        guard self.id == id else { return nil }
    }

    /// The key's number, by which signatures name it.
    package var id: KeyID { KeyID(name: name, kind: kind, publicKey: publicKey) }

    /// The key as text.
    package var description: String {
        "\(name)+\(id)+\(Base64.text([kind.rawValue] + publicKey))"
    }

    /// 128 bits of SHA-256 over the key's text, as eight numbers of five digits, to be read to
    /// somebody over the telephone.
    package var fingerprint: String {
        let digest = SHA256.digest(Array(description.utf8).span).array
        return (0..<8)
            .map { index in
                let number = Int(digest[2 * index]) << 8 | Int(digest[2 * index + 1])
                let digits = String(number)
                return String(repeating: "0", count: 5 - digits.utf8.count) + digits
            }
            .joined(separator: " ")
    }
}
