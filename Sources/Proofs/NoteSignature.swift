/// A signature under a note: who signed, as they say, and the bytes.
package struct NoteSignature: Hashable, Sendable {
    private static let timeByteCount = 8

    /// Who is said to have signed.
    package let name: KeyName

    /// The number of the key that is said to have signed.
    package let id: KeyID

    /// What stands behind the key's number: for Ed25519 64 bytes, for a cosignature the time before
    /// them.
    let bytes: [UInt8]

    init(by key: VerifierKey, bytes: [UInt8]) {
        name = key.name
        id = key.id
        self.bytes = bytes
    }

    /// Reads a signature's line without its line feed.
    init(line: Substring) throws(ProofDamage) {
        let parts = line.parts(separatedBy: " ", atMost: 4)
        guard parts.count == 3, parts[0] == "\u{2014}" else {
            throw ProofDamage("a signature's line has another form than \u{2014} NAME BASE64")
        }
        guard let name = KeyName(foreign: parts[1]) else {
            throw ProofDamage("a signature is by a name that is none")
        }
        guard let blob = Base64.bytes(parts[2]), blob.count > KeyID.byteCount else {
            throw ProofDamage("a signature is not base64, or too short")
        }
        self.name = name
        id = KeyID(blob)
        bytes = Array(blob.dropFirst(KeyID.byteCount))
    }

    /// The signature's line, with its line feed.
    var line: String {
        "\u{2014} \(name) \(Base64.text(id.bytes + bytes))\n"
    }

    /// Whether it has the form of a witness's cosignature.
    package var isCosignature: Bool {
        bytes.count == Self.timeByteCount + Ed25519.signatureByteCount
    }

    /// When a witness says it has cosigned, in seconds since 1970; only true if the signature is.
    package var cosignedAt: UInt64 {
        bytes.prefix(Self.timeByteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns whether the signature says to be by a key.
    package func names(_ key: VerifierKey) -> Bool {
        name == key.name && id == key.id
    }

    /// Returns whether this is the signature of a note's text by a key.
    package func isValid(for text: String, by key: VerifierKey) -> Bool {
        guard names(key) else { return false }
        switch key.kind {
        case .text:
            return Ed25519.isValid(bytes, of: Array(text.utf8), by: key.publicKey)
        case .cosignature:
            return Ed25519.isValid(
                Array(bytes.dropFirst(Self.timeByteCount)),
                of: Self.cosignedMessage(text, at: cosignedAt),
                by: key.publicKey
            )
        }
    }

    /// Returns what a witness signs (C2SP tlog-cosignature).
    static func cosignedMessage(_ text: String, at seconds: UInt64) -> [UInt8] {
        Array("cosignature/v1\ntime \(seconds)\n\(text)".utf8)
    }
}
