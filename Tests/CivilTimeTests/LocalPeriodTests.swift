import CivilTime
import DriveSimulation
import TestSupport
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

    @Test(arguments: [
        // Clocks are put back by an hour at 01:00 UTC: what they show from 2 to 3 comes twice.
        ("2025-10-25T23:59:59Z", "2025-10-26T01:59:59.000+02:00", false),
        ("2025-10-26T00:00:00Z", "2025-10-26T02:00:00.000+02:00", true),
        ("2025-10-26T01:59:59Z", "2025-10-26T02:59:59.000+01:00", true),
        ("2025-10-26T02:00:00Z", "2025-10-26T03:00:00.000+01:00", false),
        // They are put forward: nothing comes twice.
        ("2025-03-30T00:59:59Z", "2025-03-30T01:59:59.000+01:00", false),
        ("2025-03-30T01:00:00Z", "2025-03-30T03:00:00.000+02:00", false),
        // A device's own offset: that of the zone, or another one.
        ("2025-07-01T17:40:00+02:00", "2025-07-01T17:40:00.000+02:00", false),
        ("2025-12-31T20:00:00-05:00", "2025-12-31T20:00:00.000-05:00", true),
        ("2025-10-26T02:30:00+02:00", "2025-10-26T02:30:00.000+02:00", true),
    ])
    func `a time is told with its offset where the zone alone does not tell the instant`(
        said: String,
        told: String,
        isBeside: Bool
    ) throws {
        let zone = try TimeZoneRules(name: "test", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        let clock = LocalDay(zone: zone)
        let time = try #require(RFC3339.time(said))
        let local = clock.local(time)
        #expect(RFC3339.text(local.timestamp, utcOffset: local.utcOffset) == told)
        #expect(clock.needsOffset(time) == isBeside)
        let byZone = LocalDay(zone: zone, usesOwnOffsets: false)
        #expect(byZone.local(time).utcOffset == zone.utcOffset(at: time.timestamp))
        #expect(byZone.needsOffset(time) == (isBeside && !said.hasSuffix("-05:00")))
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
