public import TripEvents

/// On which local day a trip is counted: the one on which it starts, even if it ends on the next.
public struct LocalDay: Sendable {
    /// The rule in words, for beside the totals.
    public static let sentence =
        "A trip counts on the local day on which it starts: by its own UTC offset if it is known, "
        + "else by the time zone given."

    private static let minutesPerDay: Int64 = 1_440

    private let zoneOffsetMinutes: @Sendable (Timestamp) -> Int
    private let usesOwnOffsets: Bool

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - usesOwnOffsets: whether trips whose offset from UTC is known go by that; otherwise all
    ///     go by the zone.
    ///   - zoneOffsetMinutes: the time zone: minutes east of UTC at an instant.
    public init(
        usesOwnOffsets: Bool = true,
        zoneOffsetMinutes: @escaping @Sendable (Timestamp) -> Int
    ) {
        self.usesOwnOffsets = usesOwnOffsets
        self.zoneOffsetMinutes = zoneOffsetMinutes
    }

    /// Returns a time with the offset by which its local day is found.
    public func local(_ time: EventTime) -> EventTime {
        if usesOwnOffsets, time.utcOffset != nil { return time }
        let minutes = zoneOffsetMinutes(time.timestamp)
        return EventTime(time.timestamp, utcOffset: UTCOffset(minutes: minutes))
    }

    /// Returns the day on which a trip is counted that starts at a time.
    public func day(of start: EventTime) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970(of: start))
    }

    /// Returns the day on which trips of a cell are counted, in days since 1970-01-01.
    func daysSince1970(of key: TotalsKey) -> Int {
        let start = Timestamp(milliseconds: key.startMinute * 60_000)
        return daysSince1970(of: EventTime(start, utcOffset: key.utcOffset))
    }

    private func daysSince1970(of start: EventTime) -> Int {
        let minute = Self.flooredQuotient(start.timestamp.milliseconds, 60_000)
        let offset = Int64(local(start).utcOffset?.minutes ?? 0)
        return Int(Self.flooredQuotient(minute + offset, Self.minutesPerDay))
    }

    /// Returns the quotient rounded down.
    static func flooredQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
