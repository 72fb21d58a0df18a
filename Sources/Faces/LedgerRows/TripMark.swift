import Projections
import TripTracking

/// A mark for the reader of a list of trips, as one letter.
package enum TripMark: Character, CaseIterable, Sendable {
    case reported = "r"
    case odometer = "d"
    case adjusted = "a"
    case edited = "e"
    case byRule = "b"
    case gaps = "g"
    case merged = "m"
    case split = "s"
    case excluded = "x"
    case overlaps = "o"
    case erased = "!"

    private var meaning: String {
        switch self {
        case .reported: "reported, not measured"
        case .odometer: "by the odometer, not measured"
        case .adjusted: "distance adjusted"
        case .edited: "details changed"
        case .byRule: "routine by rule"
        case .gaps: "gaps"
        case .merged: "merged"
        case .split: "split"
        case .excluded: "a stretch excluded"
        case .overlaps: "overlaps another one"
        case .erased: "events erased"
        }
    }

    /// Whether a trip has it.
    package func marks(_ named: NamedTrip) -> Bool {
        let booked = named.booked
        return switch self {
        case .reported: !booked.isMeasured && !booked.flags.contains(.odometer)
        case .odometer: booked.flags.contains(.odometer)
        case .adjusted: booked.adjusted != nil
        case .edited: booked.flags.contains(.edited)
        case .byRule: booked.flags.contains(.byRule)
        case .gaps: booked.trip.gaps.count > 0
        case .merged: booked.flags.contains(.merged)
        case .split: booked.flags.contains(.split)
        case .excluded: booked.flags.contains(.excluded)
        case .overlaps: named.overlap != nil
        case .erased: booked.flags.contains(.erased)
        }
    }

    /// Returns the letters of a trip, in one order.
    static func letters(of named: NamedTrip) -> String {
        allCases.reduce(into: "") { if $1.marks(named) { $0.append($1.rawValue) } }
    }

    /// Returns what some letters mean, in a line; nothing if there are none.
    package static func legend(of marks: Set<TripMark>) -> String {
        let meanings = allCases.filter(marks.contains).map { "\($0.rawValue) \($0.meaning)" }
        return meanings.isEmpty ? "" : "Marks: \(meanings.joined(separator: ", ")).\n"
    }
}
