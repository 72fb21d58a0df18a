/// A day and a time of day as a clock on the wall shows them, in no time zone.
public struct CivilMoment: Hashable, Sendable {
    private static let millisecondsPerMinute: Int64 = 60_000

    /// The day.
    public let date: CivilDate

    /// Milliseconds since midnight, less than a day's.
    public let millisecondOfDay: Int64

    /// Creates a moment, or returns `nil` if no day has that time.
    public init?(_ date: CivilDate, millisecondOfDay: Int64) {
        guard (0..<Timestamp.millisecondsPerDay).contains(millisecondOfDay) else { return nil }
        self.date = date
        self.millisecondOfDay = millisecondOfDay
    }

    /// Returns the times at which the clocks of a zone show it, earliest first: two where they were
    /// put back, none where they were put forward over it, else one.
    public func times(in zone: TimeZoneRules) -> [EventTime] {
        let local = Int64(date.daysSince1970) * Timestamp.millisecondsPerDay + millisecondOfDay
        let offsets = zone.offsets(around: Timestamp(milliseconds: local))
            .compactMap { UTCOffset(roundingSeconds: $0) }
        return Set(offsets)
            .map { offset in
                let ahead = Int64(offset.minutes) * Self.millisecondsPerMinute
                return EventTime(Timestamp(milliseconds: local - ahead), utcOffset: offset)
            }
            .filter { zone.utcOffset(at: $0.timestamp) == $0.utcOffset }
            .sorted { $0.timestamp < $1.timestamp }
    }
}
