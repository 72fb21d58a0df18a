import CivilTime
import DriveSimulation
import TestSupport
import Testing

/// What a clock on the wall shows, and when it does so.
@Suite struct CivilMomentTests {
    private static let minute: Int64 = 60_000

    /// Central Europe, a zone that changes by half an hour, one south of the equator, and one whose
    /// clocks go back when others' go forward.
    private static let rules = [
        "CET-1CEST,M3.5.0,M10.5.0/3", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
        "NZST-12NZDT,M9.5.0,M4.1.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1", "UTC0",
    ]

    @Test(arguments: Seeds.fresh(20))
    func `the times of a moment are those at which clocks show it, and no others`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for posix in Self.rules {
            let zone = try TimeZoneRules(name: "Test/Zone", posix: posix)
            for _ in 0..<200 {
                // Most changes of clocks are on days like these.
                let month = [3, 4, 9, 10, 11].randomElement(using: &random) ?? 1
                let date = try #require(
                    CivilDate(
                        year: Int.random(in: 2_000...2_060, using: &random),
                        month: month,
                        day: Int.random(in: 1...30, using: &random)
                    )
                )
                let clock = Int64.random(in: 0..<24 * 4, using: &random) * 15 * Self.minute
                let moment = try #require(CivilMoment(date, millisecondOfDay: clock))
                let local = Int64(date.daysSince1970) * Timestamp.millisecondsPerDay + clock
                let expected = stride(from: Int64(15 * 60), through: -15 * 60, by: -15)
                    .map { Timestamp(milliseconds: local - $0 * Self.minute) }
                    .filter { instant in
                        let offset = zone.utcOffset(at: instant).map { Int64($0.minutes) } ?? 0
                        return instant.milliseconds + offset * Self.minute == local
                    }
                let found = moment.times(in: zone)
                #expect(found.map(\.timestamp) == expected, "seed \(seed), \(posix), \(date)")
                #expect(found.allSatisfy { zone.utcOffset(at: $0.timestamp) == $0.utcOffset })
            }
        }
    }

    @Test func `clocks that are put back show a time twice, and forward over it never`() throws {
        let zone = try TimeZoneRules(name: "Europe/Amsterdam", posix: Self.rules[0])
        func texts(_ day: String) throws -> [String] {
            let moment = CivilMoment(
                try #require(CivilDate(day)),
                millisecondOfDay: 150 * Self.minute
            )
            return try #require(moment).times(in: zone)
                .map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
        }
        #expect(
            try texts("2025-10-26") == [
                "2025-10-26T02:30:00.000+02:00", "2025-10-26T02:30:00.000+01:00",
            ]
        )
        #expect(try texts("2025-03-30") == [])
        #expect(try texts("2025-03-31") == ["2025-03-31T02:30:00.000+02:00"])
        #expect(CivilMoment(try #require(CivilDate("2025-01-01")), millisecondOfDay: -1) == nil)
    }
}
