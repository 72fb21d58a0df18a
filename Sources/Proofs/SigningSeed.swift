/// The 32 secret bytes of an Ed25519 key; whoever has them can sign.
///
/// Printing one does not show it.
package struct SigningSeed: Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of bytes of a seed.
    package static let byteCount = 32

    /// The secret bytes.
    let bytes: [UInt8]

    /// Creates a seed from 32 bytes that nobody can guess, or returns `nil` if there are more or
    /// fewer.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Words that do not tell the secret.
    package var description: String { "a signing seed" }

    /// Nothing to see.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
