/// The name of a trip: the first half of the identity digest of the event that opened it.
///
/// It is the same after every rebuild and in every ledger that holds the same event.
public struct TripID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let digitCount = 32

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
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
            let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The id as 32 lower-case hexadecimal digits.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: Self.digitCount) {
            append(digits: Self.digitCount, to: &$0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the first digits of the id, for which there MUST be room.
    package func append(digits: Int, to span: inout OutputSpan<UInt8>) {
        for index in 0..<digits {
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4)) & 0xF
            span.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }

    /// Returns whether one id comes before another, as numbers and as text.
    public static func < (left: TripID, right: TripID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
