import TripEvents

/// How a person names a trip.
public enum TripReference: Hashable, Sendable {
    /// Of the trips that count or are going on, the one that started last.
    case last

    /// The trip that is going on; if several are, the one that started last.
    case active

    /// The trip whose id begins with these hexadecimal digits.
    case prefix(String)

    /// Reads `last`, `active` or the beginning of an id, or returns `nil` if `text` is none of
    /// them.
    public init?(_ text: String) {
        switch text {
        case "last": self = .last
        case "active": self = .active
        default:
            let digits = text.lowercased()
            guard (1...32).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else {
                return nil
            }
            self = .prefix(digits)
        }
    }
}
