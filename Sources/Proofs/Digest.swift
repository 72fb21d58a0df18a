/// A SHA-256 digest: 32 bytes.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// The digest's bytes.
    package var bytes: InlineArray<32, UInt8>

    /// Creates a digest from its bytes.
    package init(bytes: InlineArray<32, UInt8>) {
        self.bytes = bytes
    }

    /// Creates a digest from 32 bytes, or returns `nil` if there are more or fewer.
    package init?(_ source: Span<UInt8>) {
        guard source.count == Self.byteCount else { return nil }
        bytes = InlineArray { source[$0] }
    }

    /// Creates a digest from 32 bytes, or returns `nil` if there are more or fewer.
    package init?(_ source: [UInt8]) {
        self.init(source.span)
    }

    /// Creates a digest from 64 lower-case hexadecimal digits, or returns `nil` if it is not that.
    package init?(hexadecimal text: String) {
        var bytes: [UInt8] = []
        for (index, character) in text.utf8.enumerated() {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if index % 2 == 0 { bytes.append(digit << 4) } else { bytes[index / 2] |= digit }
        }
        guard text.utf8.count == 2 * Self.byteCount else { return nil }
        self.init(bytes)
    }

    /// The digest's bytes as an array.
    package var array: [UInt8] {
        bytes.indices.map { bytes[$0] }
    }

    /// The first eight bytes, the first one highest, so that numbers compare as bytes do.
    package var firstWord: UInt64 {
        word(at: 0)
    }

    /// The eight bytes that start at byte `8 * index`, the first one highest.
    package func word(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<8 {
            word = word << 8 | UInt64(bytes[8 * index + offset])
        }
        return word
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var description: String {
        var text = ""
        for index in bytes.indices {
            text.append(Self.hexadecimal(bytes[index] >> 4))
            text.append(Self.hexadecimal(bytes[index] & 15))
        }
        return text
    }

    /// Returns whether two digests are the same.
    package static func == (left: Digest, right: Digest) -> Bool {
        left.bytes.indices.allSatisfy { left.bytes[$0] == right.bytes[$0] }
    }

    /// Feeds the first word to a hasher: it is as random as any hash.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(firstWord)
    }

    private static func hexadecimal(_ digit: UInt8) -> Character {
        Character(UnicodeScalar(digit < 10 ? 48 + digit : 87 + digit))
    }
}
