public import TripEvents

/// Local days, from the first to the last.
public struct LocalPeriod: Hashable, Sendable {
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The years that RFC 3339 can write, in days since 1970-01-01, and a day on either side.
    private static let writableDays = -719_163...2_932_897

    /// The first day; `nil` for all.
    public let from: CivilDate?

    /// The last day; `nil` for all.
    public let to: CivilDate?

    /// On which day a trip is counted.
    public let localDay: LocalDay

    private let days: ClosedRange<Int>

    /// Instants that lie in the period whatever the offset: they need no look at the clock.
    private let certainInstants: Range<Timestamp>

    /// Creates a period.
    ///
    /// - Parameters:
    ///   - from: the first day; `nil` for all.
    ///   - to: the last day, MUST not be before the first; `nil` for all.
    ///   - localDay: on which day a trip is counted.
    public init(from: CivilDate? = nil, to: CivilDate? = nil, localDay: LocalDay) {
        self.from = from
        self.to = to
        self.localDay = localDay
        let first = from?.daysSince1970 ?? Self.writableDays.lowerBound
        let last = to?.daysSince1970 ?? Self.writableDays.upperBound
        precondition(first <= last, "a period ends after it begins")
        days = first...last
        // Clocks are less than a day away from UTC.
        let start = Self.midnight(onDay: first + 1)
        certainInstants = start..<max(start, Self.midnight(onDay: last))
    }

    /// Returns whether a trip counts in the period that starts at a time.
    public func contains(_ start: EventTime) -> Bool {
        certainInstants.contains(start.timestamp) || containsDay(localDay.daysSince1970(of: start))
    }

    /// Returns whether a day lies in the period, which is given in days since 1970-01-01.
    func containsDay(_ day: Int) -> Bool { days.contains(day) }

    /// Instants between which all trips of the period start, whatever their offsets.
    public var instants: Range<Timestamp> {
        // Clocks are less than a day away from UTC.
        Self.midnight(onDay: days.lowerBound - 1)..<Self.midnight(onDay: days.upperBound + 2)
    }

    /// Returns when a day begins in UTC, which is given in days since 1970-01-01.
    private static func midnight(onDay day: Int) -> Timestamp {
        Timestamp(milliseconds: Int64(day) * millisecondsPerDay)
    }
}
