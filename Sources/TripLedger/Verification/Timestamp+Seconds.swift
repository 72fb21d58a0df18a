import TripEvents

extension Timestamp {
    /// The end of the year 9999: RFC 3339 has no later time.
    private static let lastSecond: UInt64 = 253_402_300_799

    /// Creates a time from whole seconds since 1970, or returns `nil` if it is after the year 9999.
    package init?(secondsSince1970 seconds: UInt64) {
        guard seconds <= Self.lastSecond else { return nil }
        self.init(milliseconds: Int64(seconds) * 1_000)
    }
}
