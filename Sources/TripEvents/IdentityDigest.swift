/// The SHA-256 digest of what makes an event the event it is (Formats, *Identity*).
///
/// The shell computes it; the core only compares it and derives trip ids from it.
public struct IdentityDigest: Hashable, Comparable, Sendable {
    /// The digest's bytes, eight to a word, first byte highest, so that words compare as bytes do.
    public let words: InlineArray<4, UInt64>

    /// Creates a digest from its four words, first byte highest.
    public init(words: InlineArray<4, UInt64>) {
        self.words = words
    }

    /// Returns whether two digests are the same.
    public static func == (left: IdentityDigest, right: IdentityDigest) -> Bool {
        (0..<4).allSatisfy { left.words[$0] == right.words[$0] }
    }

    /// Returns whether one digest comes before another, byte by byte.
    public static func < (left: IdentityDigest, right: IdentityDigest) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }

    /// Feeds the digest's first word to a hasher: it is as random as any hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words[0])
    }
}
