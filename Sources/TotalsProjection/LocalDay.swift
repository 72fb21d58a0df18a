public import TripEvents

/// On which local day a trip is counted: the one on which it starts, even if it ends on the next.
public struct LocalDay: Hashable, Sendable {
    private static let millisecondsPerMinute: Int64 = 60_000
    private static let minutesPerDay: Int64 = 1_440

    /// The time zone.
    public let zone: TimeZoneRules

    /// Whether trips whose offset from UTC is known go by that; otherwise all go by the zone.
    public let usesOwnOffsets: Bool

    /// Creates the rule.
    public init(zone: TimeZoneRules, usesOwnOffsets: Bool = true) {
        self.zone = zone
        self.usesOwnOffsets = usesOwnOffsets
    }

    /// The rule in words, for beside the totals.
    public var sentence: String {
        usesOwnOffsets
            ? "A trip counts on the local day on which it starts: by its own UTC offset if that is "
                + "known, else in the time zone \(zone.name)."
            : "A trip counts on the local day on which it starts in the time zone \(zone.name)."
    }

    /// Returns a time with the offset by which its local day is found.
    public func local(_ time: EventTime) -> EventTime {
        if usesOwnOffsets, time.utcOffset != nil { return time }
        return EventTime(time.timestamp, utcOffset: zone.utcOffset(at: time.timestamp))
    }

    /// Returns the day on which a trip is counted that starts at a time.
    public func day(of start: EventTime) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970(of: start))
    }

    /// Returns the day on which trips of a cell are counted, in days since 1970-01-01.
    func daysSince1970(of key: TotalsKey) -> Int {
        let start = Timestamp(milliseconds: key.startMinute * Self.millisecondsPerMinute)
        return daysSince1970(of: EventTime(start, utcOffset: key.utcOffset))
    }

    /// Returns the day on which a trip is counted that starts at a time, in days since 1970-01-01.
    func daysSince1970(of start: EventTime) -> Int {
        let milliseconds = start.timestamp.milliseconds
        let minute = Self.flooredQuotient(milliseconds, Self.millisecondsPerMinute)
        let offset = Int64(local(start).utcOffset?.minutes ?? 0)
        return Int(Self.flooredQuotient(minute + offset, Self.minutesPerDay))
    }

    /// Returns the quotient rounded down.
    static func flooredQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
