/// The clock in which times are shown, and so the local day of each: the clock of the device if it
/// reported its offset from UTC, else that of a time zone.
///
/// Lists, reports, maps and sums go by the same one, so that the date that is shown for a trip lies
/// in the day, month and year in which the trip counts.
public struct LocalDay: Hashable, Sendable {
    private static let millisecondsPerMinute: Int64 = 60_000
    private static let minutesPerDay: Int64 = 1_440

    /// The time zone.
    public let zone: TimeZoneRules

    /// Whether a time with a known offset from UTC keeps that offset; otherwise the zone gives the
    /// offset of every time.
    public let usesOwnOffsets: Bool

    /// Creates the rule.
    public init(zone: TimeZoneRules, usesOwnOffsets: Bool = true) {
        self.zone = zone
        self.usesOwnOffsets = usesOwnOffsets
    }

    /// Returns a time with the offset with which it is shown and its local day is found; the zone
    /// UTC, which is not a local clock, gives no offset.
    public func local(_ time: EventTime) -> EventTime {
        if usesOwnOffsets, time.utcOffset != nil { return time }
        guard zone.name(at: time.timestamp) != TimeZoneRules.utc.name else {
            return EventTime(time.timestamp)
        }
        return EventTime(time.timestamp, utcOffset: zone.utcOffset(at: time.timestamp))
    }

    /// Returns whether a reader who knows the zone, but not the offset with which a time is shown,
    /// could take it for another instant: its offset is not the zone's at that instant, or the
    /// zone's clocks show the same time twice.
    public func needsOffset(_ time: EventTime) -> Bool {
        let instant = time.timestamp
        if usesOwnOffsets, let offset = time.utcOffset, offset != zone.utcOffset(at: instant) {
            return true
        }
        return zone.showsAgain(at: instant)
    }

    /// Returns the local day of a time.
    public func day(of time: EventTime) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970(of: time))
    }

    /// Returns the local day of a time, in days since 1970-01-01.
    package func daysSince1970(of time: EventTime) -> Int {
        let minute = time.timestamp.milliseconds.flooredQuotient(by: Self.millisecondsPerMinute)
        let offset = Int64(local(time).utcOffset?.minutes ?? 0)
        return Int((minute + offset).flooredQuotient(by: Self.minutesPerDay))
    }
}

extension EventTime {
    /// Returns the time with the offset of a clock; unchanged if there is no clock.
    package func told(by clock: LocalDay?) -> EventTime { clock?.local(self) ?? self }
}

/// Local days, from the first to the last.
public struct LocalPeriod: Hashable, Sendable {
    /// The years that RFC 3339 can write, in days since 1970-01-01, and a day on either side.
    private static let writableDays = -719_163...2_932_897

    /// The first day; `nil` for all.
    public let from: CivilDate?

    /// The last day; `nil` for all.
    public let to: CivilDate?

    /// The rule for the day on which a time lies.
    public let localDay: LocalDay

    private let days: ClosedRange<Int>

    /// Instants that lie in the period whatever the offset: their local day need not be worked out.
    private let certainInstants: Range<Timestamp>

    /// Creates a period.
    ///
    /// - Parameters:
    ///   - from: the first day; `nil` for all.
    ///   - to: the last day, MUST not be before the first; `nil` for all.
    ///   - localDay: the rule for the day on which a time lies.
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

    /// Returns whether the local day of a time lies in the period.
    public func contains(_ time: EventTime) -> Bool {
        certainInstants.contains(time.timestamp) || containsDay(localDay.daysSince1970(of: time))
    }

    /// Returns whether a day, given in days since 1970-01-01, lies in the period.
    package func containsDay(_ day: Int) -> Bool { days.contains(day) }

    /// Returns whether a day lies in the period.
    public func containsDay(_ day: CivilDate) -> Bool { days.contains(day.daysSince1970) }

    /// Instants between which all times of the period lie, whatever their offsets.
    public var instants: Range<Timestamp> {
        // Clocks are less than a day away from UTC.
        Self.midnight(onDay: days.lowerBound - 1)..<Self.midnight(onDay: days.upperBound + 2)
    }

    /// Returns when a day, given in days since 1970-01-01, begins in UTC.
    private static func midnight(onDay day: Int) -> Timestamp {
        Timestamp(milliseconds: Int64(day) * Timestamp.millisecondsPerDay)
    }
}
