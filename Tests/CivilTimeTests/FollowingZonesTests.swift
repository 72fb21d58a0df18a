import CivilTime
import DriveSimulation
import TestSupport
import Testing

/// Zones that follow one another tell each instant as the one does that holds then.
@Suite struct FollowingZonesTests {
    private static let rules = [
        "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "JST-9", "UTC0", "<+14>-14",
        "<-11>11", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<+0545>-5:45",
    ]

    private static let year = Timestamp(milliseconds: 1_735_689_600_000)

    /// A zone with the first instant at which it holds.
    private struct Part {
        let zone: TimeZoneRules
        let start: Timestamp
    }

    private static func parts(using random: inout SplitMix64) throws -> [Part] {
        let starts = (0..<Int.random(in: 1...4, using: &random))
            .map { _ in
                let minutes = Int64.random(in: 0..<400 * 1_440, using: &random)
                return year.advanced(byMilliseconds: minutes * 60_000)
            }
        return try ([Timestamp(milliseconds: 0)] + starts.sorted()).enumerated()
            .map { number, start in
                let posix = rules.randomElement(using: &random) ?? "UTC0"
                return Part(zone: try TimeZoneRules(name: "\(number)", posix: posix), start: start)
            }
    }

    private static func joined(_ parts: [Part]) -> TimeZoneRules {
        parts.dropFirst().reduce(parts[0].zone) { $0.followed(by: $1.zone, from: $1.start) }
    }

    @Test(arguments: Seeds.fresh(40))
    func `the zone that holds tells the time`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let parts = try Self.parts(using: &random)
        let joined = Self.joined(parts)
        var instants = (0..<200)
            .map { _ in
                Self.year.advanced(
                    byMilliseconds: Int64.random(in: -40...440, using: &random) * 86_400_000
                        + Int64.random(in: 0..<86_400_000, using: &random)
                )
            }
        instants += parts.flatMap { [$0.start, $0.start.advanced(byMilliseconds: -1)] }
        for instant in instants {
            let part = try #require(parts.last { $0.start <= instant } ?? parts.first)
            let offset = part.zone.offsetSeconds(at: instant)
            #expect(joined.offsetSeconds(at: instant) == offset, "seed \(seed) at \(instant)")
            #expect(joined.name(at: instant) == part.zone.name, "seed \(seed) at \(instant)")
        }
        #expect(joined.name == parts.last?.zone.name)
    }

    @Test(arguments: Seeds.fresh(20))
    func `what clocks showed is found, also near the change from one zone to another`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let parts = try Self.parts(using: &random)
        let joined = Self.joined(parts)
        for part in parts.dropFirst() {
            for _ in 0..<20 {
                let minutes = Int64.random(in: -1_500...1_500, using: &random)
                let instant = part.start.advanced(byMilliseconds: minutes * 60_000)
                let offset = try #require(joined.utcOffset(at: instant))
                let local = instant.milliseconds + Int64(offset.minutes) * 60_000
                let day = local.quotientAndRemainder(dividingBy: 86_400_000)
                let moment = try #require(
                    CivilMoment(
                        CivilDate(daysSince1970: Int(day.quotient)),
                        millisecondOfDay: day.remainder
                    )
                )
                let times = moment.times(in: joined)
                #expect(times.contains { $0.timestamp == instant }, "seed \(seed) at \(instant)")
                for time in times {
                    #expect(joined.utcOffset(at: time.timestamp) == time.utcOffset)
                }
            }
        }
    }

    @Test func `a zone that holds earlier than the ones before takes their place`() throws {
        let zones = try Self.rules.prefix(3).enumerated()
            .map { try TimeZoneRules(name: "\($0.offset)", posix: $0.element) }
        let day = Self.year.advanced(byMilliseconds: 86_400_000)
        let joined = zones[0].followed(by: zones[1], from: day).followed(by: zones[2], from: day)
        #expect(joined == zones[0].followed(by: zones[2], from: day))
        #expect(joined.words == "0, 2 (2025-01-02)")
    }

    @Test func `words name the zones that hold at the times that are asked for`() throws {
        let zones = try Self.rules.prefix(3).enumerated()
            .map { try TimeZoneRules(name: "\($0.offset)", posix: $0.element) }
        let (first, second) = (Self.year, Self.year.advanced(byMilliseconds: 86_400_000))
        let joined = zones[0].followed(by: zones[1], from: first)
            .followed(by: zones[2], from: second)
        let before = first.advanced(byMilliseconds: -1)
        #expect(joined.words(at: before...before) == "0")
        // It is the last day of the year where the zone begins to hold.
        #expect(joined.words(at: before...first) == "0, 1 (2024-12-31)")
        #expect(joined.words(at: first...first) == "1")
        #expect(joined.words(at: first...second) == "1, 2 (2025-01-02)")
        #expect(joined.words(at: before...second) == joined.words)
        #expect(zones[0].words(at: before...second) == "0")
    }

    @Test func `UTC, which is no local clock, gives no offset as long as it holds`() throws {
        let tokyo = try TimeZoneRules(name: "Asia/Tokyo", posix: "JST-9")
        let clock = LocalDay(zone: TimeZoneRules.utc.followed(by: tokyo, from: Self.year))
        let before = Self.year.advanced(byMilliseconds: -1)
        #expect(clock.local(EventTime(before)).utcOffset == nil)
        #expect(clock.local(EventTime(Self.year)).utcOffset?.minutes == 540)
    }
}
