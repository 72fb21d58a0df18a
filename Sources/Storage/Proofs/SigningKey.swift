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

/// The public key with which signatures are checked: its name, kind and bytes.
///
/// Its text is the verifier key of C2SP signed-note: `name+id+base64(kind ‖ public key)`.
package struct VerifierKey: Hashable, Sendable, CustomStringConvertible {
    /// The name of the key.
    package let name: KeyName

    /// The kind of text that the key signs.
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

    /// Why a text is no verifier key.
    package enum Problem: Error, Hashable, Sendable {
        /// The text does not have the form of a verifier key, or the key is of an unknown kind.
        case form

        /// The form is right, but the id is not the one that follows from the name and the public
        /// half.
        case checkDigits
    }

    /// Reads a verifier key, or returns `nil` if `text` is not one or of an unknown kind.
    package init?(_ text: some StringProtocol) {
        guard let key = try? VerifierKey(checking: text) else { return nil }
        self = key
    }

    /// Reads a verifier key.
    ///
    /// - Throws: ``Problem`` if `text` is not one.
    package init(checking text: some StringProtocol) throws(Problem) {
        let parts = text.parts(separatedBy: "+", atMost: 3)
        guard parts.count == 3, let name = KeyName(parts[0]), let id = KeyID(parts[1]),
            let bytes = Base64.bytes(parts[2]), let first = bytes.first
        else { throw .form }
        let publicKey = Array(bytes.dropFirst())
        guard let kind = SignatureKind(rawValue: first),
            publicKey.count == Ed25519.publicKeyByteCount
        else {
            // A wrong digit can make another kind or length of what was a key.
            throw .form
        }
        self.init(name: name, kind: kind, publicKey: publicKey)
        guard self.id == id else { throw .checkDigits }
    }

    /// The key's number, by which signatures name it.
    package var id: KeyID { KeyID(name: name, kind: kind, publicKey: publicKey) }

    /// The key as text.
    package var description: String {
        "\(name)+\(id)+\(Base64.text([kind.rawValue] + publicKey))"
    }

    /// 128 bits of SHA-256 over the key's text, as eight numbers of five digits, which can be read
    /// out over the telephone.
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

/// The name of a key; the name of a ledger's key is the origin of the ledger's heads.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes that are accepted.
    private static let maximumByteCount = 200

    /// The name.
    package let description: String

    /// Creates a name, or returns `nil` if `text` is empty, longer than 200 bytes, or has a plus
    /// sign, white space or a control character (C2SP signed-note).
    package init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            text.unicodeScalars.allSatisfy(Self.isAllowed)
        else { return nil }
        description = String(text)
    }

    /// Reads a name in another's note, or returns `nil` if C2SP signed-note does not allow it; it
    /// may be of any length.
    ///
    /// An unknown name MUST NOT be refused, because signatures by unknown keys are skipped.
    init?(foreign text: some StringProtocol) {
        guard !text.isEmpty,
            text.unicodeScalars.allSatisfy({ $0 != "+" && !$0.properties.isWhitespace })
        else { return nil }
        description = String(text)
    }

    /// Returns whether a log of this origin is signed under this name.
    package func isOrigin(_ origin: String) -> Bool {
        description.utf8.elementsEqual(origin.utf8)
    }

    /// Returns whether two names have the same bytes; names that only look alike are different.
    package static func == (left: KeyName, right: KeyName) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// Feeds the name's bytes to a hasher.
    package func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != "+", !scalar.properties.isWhitespace else { return false }
        switch scalar.properties.generalCategory {
        // Names are read by people and compared by eye: nothing invisible, nothing that turns text.
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}

/// The number of a key: four bytes of a hash over its name, kind and public half.
///
/// Two keys may share one; the signature itself decides.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes of an id.
    static let byteCount = 4

    /// The four bytes, the first one highest.
    let number: UInt32

    /// Computes the id of a key.
    init(name: KeyName, kind: SignatureKind, publicKey: [UInt8]) {
        let hashed = Array(name.description.utf8) + [0x0A, kind.rawValue] + publicKey
        number = UInt32(SHA256.digest(hashed.span).firstWord >> 32)
    }

    /// Reads the four bytes that a signature begins with.
    init(_ bytes: some Sequence<UInt8>) {
        number = bytes.prefix(Self.byteCount).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads eight lower-case hexadecimal digits, or returns `nil` if `text` is something else.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 8, let number = UInt32(text, radix: 16) else { return nil }
        self.number = number
        guard description == text else { return nil }
    }

    /// The four bytes.
    var bytes: [UInt8] {
        (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }

    /// Eight hexadecimal digits.
    package var description: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}

/// The kind of text that a key of a signed note signs (C2SP signed-note, *Signature types*).
package enum SignatureKind: UInt8, Sendable {
    /// Ed25519 over the note's text.
    case text = 0x01

    /// Ed25519 over a time and the note: a witness has seen the note, and found it consistent
    /// with what it saw before (C2SP tlog-cosignature).
    case cosignature = 0x04
}
