import DriveSimulation
import Foundation
import TestSupport
import Testing

@testable import CivilTime

@Suite struct RFC3339Tests {
    @Test(arguments: [
        // The examples of RFC 3339 §5.8 (but the leap second), and of §4.3.
        ("1985-04-12T23:20:50.52Z", 482_196_050_520, nil),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000, -480),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130, 20),
        ("1970-01-01T00:00:00Z", 0, nil),
        ("1970-01-01T00:00:00-00:00", 0, nil),
        ("1970-01-01T00:00:00+00:00", 0, 0),
        ("1970-01-01t00:00:00.001z", 1, nil),
        ("2000-02-29T12:00:00.120000Z", 951_825_600_120, nil),
    ])
    func `a time is read`(text: String, milliseconds: Int64, minutes: Int?) {
        #expect(
            RFC3339.time(text)
                == EventTime(
                    Timestamp(milliseconds: milliseconds),
                    utcOffset: minutes.flatMap { UTCOffset(minutes: $0) }
                )
        )
    }

    @Test func `times are those of the system's formatter`() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        for seed in Seeds.fresh(500) {
            var generator = SplitMix64(seed: seed)
            // Foundation's calendar is Julian before 1582, RFC 3339's is not.
            let second = Int64.random(in: -12_000_000_000...253_000_000_000, using: &generator)
            let timestamp = Timestamp(milliseconds: second * 1_000)
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(second)))
            #expect(
                RFC3339.text(timestamp) == expected.dropLast() + ".000Z",
                "seed \(seed)"
            )
            #expect(RFC3339.time(expected)?.timestamp == timestamp, "seed \(seed)")
        }
    }

    @Test func `what is written is read back`() {
        let (first, last) = (RFC3339.writable.lowerBound, RFC3339.writable.upperBound)
        for seed in Seeds.fresh(500) {
            var generator = SplitMix64(seed: seed)
            let time = EventTime(
                Timestamp(
                    milliseconds: Int64.random(
                        in: first.milliseconds...last.milliseconds,
                        using: &generator
                    )
                ),
                utcOffset: UTCOffset(minutes: Int.random(in: -1_500...1_500, using: &generator))
            )
            let text = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
            #expect(RFC3339.time(text) == time, "seed \(seed): \(text)")
        }
    }

    @Test func `days follow one another`() throws {
        var date = try #require(CivilDate(year: 1, month: 1, day: 1))
        let last = try #require(CivilDate(year: 9_999, month: 12, day: 31))
        #expect(date.daysSince1970 == -719_162)
        #expect(last.daysSince1970 == 2_932_896)
        for day in stride(from: date.daysSince1970 + 1, through: last.daysSince1970, by: 1) {
            let next = CivilDate(daysSince1970: day)
            let follows =
                next.day == date.day + 1
                ? next.month == date.month && next.year == date.year
                : next.day == 1
                    && (next.month == date.month + 1 && next.year == date.year
                        || next.month == 1 && date.month == 12 && next.year == date.year + 1)
            guard follows, next.daysSince1970 == day, date < next else {
                Issue.record("\(next) does not follow \(date)")
                return
            }
            date = next
        }
        #expect(date == last)
    }

    @Test(arguments: [
        ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
        ("2026-04-31", false), ("2026-13-01", false), ("2026-00-01", false), ("2026-1-01", false),
        ("0000-01-01", false), ("2026-01-01 ", false), ("+026-01-01", false),
    ])
    func `only days of the calendar are dates`(text: String, isDate: Bool) {
        #expect(CivilDate(text)?.description == (isDate ? text : nil))
    }
}
