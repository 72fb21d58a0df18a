/// The name of a trip: the first half of the identity digest of the event that opened it.
///
/// It is the same after every rebuild and in every ledger that holds the same event.
public struct TripID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, first byte highest.
    public let high: UInt64

    /// The last eight bytes, first byte highest.
    public let low: UInt64

    /// Creates the id of the trip that the event with this digest opened.
    public init(openedBy identity: IdentityDigest) {
        self.init(high: identity.words[0], low: identity.words[1])
    }

    /// Creates an id from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an id from 32 hexadecimal digits, or returns `nil` if `text` is something else.
    public init?(_ text: String) {
        guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The id as 32 lower-case hexadecimal digits.
    public var description: String {
        Self.hexadecimal(high) + Self.hexadecimal(low)
    }

    /// Returns whether one id comes before another, as numbers and as text.
    public static func < (left: TripID, right: TripID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
