import CivilTime
import DriveSimulation
import LedgerTestSupport
import Testing

@Suite struct LocalPeriodTests {
    private static let from = "2025-03-29"
    private static let to = "2025-04-02"

    /// Noon of the day in the middle.
    private static let noon = Timestamp(milliseconds: 1_743_422_400_000)

    @Test(arguments: Seeds.fresh(300))
    func `a time is in a period if its local date is`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let from = try #require(CivilDate(Self.from))
        let to = try #require(CivilDate(Self.to))
        let period = LocalPeriod(from: from, to: to, localDay: LocalDay(zone: .utc))
        for _ in 0..<50 {
            // Up to four days before and after, which is beyond both ends.
            let minutes = Int64(random.next() % (8 * 1_440)) - 4 * 1_440
            let offset = UTCOffset(minutes: Int(random.next() % 2_879) - 1_439)
            let start = EventTime(
                Self.noon.advanced(byMilliseconds: minutes * 60_000),
                utcOffset: random.next() % 4 == 0 ? nil : offset
            )
            let date = RFC3339.text(start.timestamp, utcOffset: start.utcOffset).prefix(10)
            let isIn = date >= Self.from && date <= Self.to
            #expect(period.contains(start) == isIn, "\(date), seed \(seed)")
        }
    }

    @Test func `a period of one day contains that day from its first minute to its last`() throws {
        let day = try #require(CivilDate("2025-03-31"))
        let period = LocalPeriod(from: day, to: day, localDay: LocalDay(zone: .utc))
        for (text, isIn) in [
            ("2025-03-30T23:59:59.999+12:00", false), ("2025-03-31T00:00:00.000+12:00", true),
            ("2025-03-31T23:59:59.999-11:00", true), ("2025-04-01T00:00:00.000-11:00", false),
        ] {
            #expect(period.contains(try #require(RFC3339.time(text))) == isIn, "\(text)")
        }
    }
}
