import TripEvents

/// How soon after trips something about them was recorded, in whole days of 24 hours.
public struct Contemporaneity: Hashable, Sendable {
    /// The number of trips about which something was recorded less than a day after the end.
    public private(set) var withinDay: Int64 = 0

    /// The number of trips about which something was recorded after one to seven days.
    public private(set) var withinWeek: Int64 = 0

    /// The number of trips about which something was recorded after more than seven days.
    public private(set) var later: Int64 = 0

    /// The number of trips about which nothing was recorded.
    public private(set) var never: Int64 = 0

    /// Creates the count of no trips.
    public init() {}

    /// Counts a trip; `nil` days if nothing was recorded.
    public mutating func add(days: Int64?) {
        switch days {
        case nil: never += 1
        case .some(..<1): withinDay += 1
        case .some(...LogJurisdiction.daysForEntries): withinWeek += 1
        default: later += 1
        }
    }

    /// Adds other trips.
    public static func += (count: inout Contemporaneity, other: Contemporaneity) {
        count.withinDay += other.withinDay
        count.withinWeek += other.withinWeek
        count.later += other.later
        count.never += other.never
    }
}
