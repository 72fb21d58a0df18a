/// A text with signatures below it (C2SP signed-note).
package struct SignedNote: Hashable, Sendable {
    /// The most bytes of a note that are read.
    package static let maximumByteCount = 1_000_000

    /// The most signatures that are read, so that checking a note takes bounded time.
    package static let maximumSignatureCount = 100

    /// The text, its last line feed included.
    package let text: String

    /// The signatures, in the order of their lines.
    package private(set) var signatures: [NoteSignature]

    /// Creates a note; the text MUST end with a line feed and hold no other control character.
    package init(text: String, signatures: [NoteSignature]) {
        precondition(Self.isText(text), "a note's text ends with a line feed")
        self.text = text
        self.signatures = signatures
    }

    /// Reads a note.
    ///
    /// - Throws: `ProofDamage` if `bytes` are not exactly one note.
    package init(_ bytes: [UInt8]) throws(ProofDamage) {
        guard bytes.count <= Self.maximumByteCount else {
            throw ProofDamage("a note has at most \(Self.maximumByteCount) bytes")
        }
        guard let note = String(validating: bytes, as: UTF8.self) else {
            throw ProofDamage("a note is UTF-8, and this is not")
        }
        guard Self.isText(note) else {
            throw ProofDamage("a note ends with a line feed and has no other control characters")
        }
        let lineFeed = UInt8(ascii: "\n")
        let gap = bytes.indices.dropLast()
            .last { bytes[$0] == lineFeed && bytes[$0 + 1] == lineFeed }
        guard let gap else { throw ProofDamage("a note has an empty line above its signatures") }
        text = String(decoding: bytes[...gap], as: UTF8.self)
        let lines = String(decoding: bytes[(gap + 2)...].dropLast(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count <= Self.maximumSignatureCount else {
            throw ProofDamage("a note has at most \(Self.maximumSignatureCount) signatures")
        }
        signatures = []
        for line in lines { signatures.append(try NoteSignature(line: line)) }
    }

    /// The note as it is stored and sent.
    package var bytes: [UInt8] {
        Array((text + "\n" + signatures.map(\.line).joined()).utf8)
    }

    /// Returns whether two notes have the same bytes.
    package static func == (left: SignedNote, right: SignedNote) -> Bool {
        left.bytes == right.bytes
    }

    /// Feeds the note's bytes to a hasher.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }

    /// Adds a signature, in the place of an older one by the same key.
    package mutating func add(_ signature: NoteSignature) {
        let older = signatures.firstIndex { $0.name == signature.name && $0.id == signature.id }
        if let older { signatures[older] = signature } else { signatures.append(signature) }
    }

    /// Checks the signatures against known keys.
    ///
    /// Signatures by other keys are skipped.
    ///
    /// - Returns: The valid signatures with their keys; empty if none is by a known key.
    /// - Throws: `ProofDamage` if one claims a known key and is not valid.
    package func signatures(
        by keys: [VerifierKey]
    ) throws(ProofDamage) -> [(key: VerifierKey, signature: NoteSignature)] {
        var found: [(key: VerifierKey, signature: NoteSignature)] = []
        for signature in signatures {
            for key in keys where signature.names(key) {
                guard signature.isValid(for: text, by: key) else {
                    throw ProofDamage("the signature by \(key.name) is wrong")
                }
                // Signing twice counts once.
                if !found.contains(where: { $0.key == key }) { found.append((key, signature)) }
            }
        }
        return found
    }

    /// Returns the time at which a witness cosigned, in seconds since 1970, or `nil` if it has not.
    package func cosignedAt(by witness: VerifierKey) -> UInt64? {
        guard witness.kind == .cosignature else { return nil }
        return signatures.first { $0.isValid(for: text, by: witness) }?.cosignedAt
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.last == UInt8(ascii: "\n")
            && text.utf8.allSatisfy { $0 >= 0x20 || $0 == UInt8(ascii: "\n") }
    }
}

/// A signature under a note: the name and key that it claims, and the bytes.
package struct NoteSignature: Hashable, Sendable {
    private static let timeByteCount = 8

    /// The name of the key that the signature claims.
    package let name: KeyName

    /// The number of the key that the signature claims.
    package let id: KeyID

    /// The bytes after the key's number: 64 bytes of Ed25519, in a cosignature after the time.
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
    package var line: String {
        "\u{2014} \(name) \(Base64.text(id.bytes + bytes))\n"
    }

    /// Whether it has the form of a witness's cosignature.
    package var isCosignature: Bool {
        bytes.count == Self.timeByteCount + Ed25519.signatureByteCount
    }

    /// The time at which a witness cosigned, in seconds since 1970; meaningless unless the
    /// signature is valid.
    package var cosignedAt: UInt64 {
        bytes.prefix(Self.timeByteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns whether the signature claims to be by a key.
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
