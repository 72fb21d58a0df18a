import Proofs

/// Opens messages that OwnTracks has encrypted: `crypto_secretbox` of NaCl, which is XSalsa20 and
/// Poly1305.
///
/// Source: owntracks.org/booklet, *Encryption*. A message is base64 of the nonce, the tag and the
/// encrypted text.
package struct SecretBox: Sendable {
    private let key: [UInt8]

    /// Takes a key as it is typed into the app.
    ///
    /// - Parameter key: At most 32 bytes; zeros fill it up.
    package init(key: [UInt8]) {
        precondition(key.count <= XSalsa20.keyByteCount, "A key has at most 32 bytes.")
        self.key = key + Array(repeating: 0, count: XSalsa20.keyByteCount - key.count)
    }

    /// Returns what a message says; `nil` if it was encrypted with another key, or was changed.
    package func open(_ message: String) -> [UInt8]? {
        // Some encoders break their lines.
        guard let bytes = Base64.bytes(message.filter { !$0.isWhitespace }) else { return nil }
        let textStart = XSalsa20.nonceByteCount + Poly1305.tagByteCount
        guard bytes.count >= textStart else { return nil }
        let nonce = Array(bytes[..<XSalsa20.nonceByteCount])
        let tag = bytes[XSalsa20.nonceByteCount..<textStart]
        let text = bytes[textStart...]
        let stream = XSalsa20(key: key, nonce: nonce).prefix(Poly1305.keyByteCount + text.count)
        let expected = Poly1305.tag(of: text, key: Array(stream[..<Poly1305.keyByteCount]))
        // All bytes are compared, so that the time tells nothing.
        guard zip(expected, tag).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
        return zip(text, stream[Poly1305.keyByteCount...]).map { $0 ^ $1 }
    }
}
