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

    /// Returns the day on which trips of a cell are counted, in days since 1970-01-01.
    func daysSince1970(of key: TotalsKey) -> Int {
        let start = Timestamp(milliseconds: key.startMinute * 60_000)
        let own = usesOwnOffsets ? key.utcOffset.map { Int($0.minutes) } : nil
        let local = key.startMinute + Int64(own ?? zoneOffsetMinutes(start))
        return Int(Self.flooredQuotient(local, Self.minutesPerDay))
    }

    /// Returns the quotient rounded down.
    static func flooredQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
