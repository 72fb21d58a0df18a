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
