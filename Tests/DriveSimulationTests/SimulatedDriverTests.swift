import Geodesy
import TestSupport
import Testing
import TripEvents

@testable import DriveSimulation

@Suite struct SimulatedDriverTests {
    @Test(arguments: Seeds.fresh(4))
    func `the same arguments give the same bytes, and others give others`(seed: UInt64) throws {
        let start = try Self.start(seed)
        func lines(_ name: String, _ seed: UInt64) -> [String] {
            Self.lines(
                DriveSimulator.driver(named: name, seed: seed, startingOn: start, count: 7)
            )
        }
        #expect(lines("anna", seed) == lines("anna", seed))
        #expect(lines("anna", seed) != lines("anna", seed &+ 1))
        #expect(lines("anna", seed) != lines("bert", seed))
    }

    @Test(arguments: Seeds.fresh(6))
    func `a day follows from the driver, the seed and its date alone`(seed: UInt64) throws {
        let start = try Self.start(seed)
        let cut = Int(seed % 40)
        func days(from first: Int, count: Int) -> SimulatedDriver {
            DriveSimulator.driver(
                seed: seed,
                startingOn: CivilDate(daysSince1970: start.daysSince1970 + first),
                count: count
            )
        }
        let whole = days(from: 0, count: 40)
        let (early, late) = (days(from: 0, count: cut), days(from: cut, count: 40 - cut))
        #expect(Self.lines(whole) == Self.lines(early) + Self.lines(late), "seed \(seed)")
        #expect(whole.registration == late.registration)
        #expect(whole.places == late.places)
    }

    @Test(arguments: Seeds.fresh(4))
    func `whatever the seed, a driver lives and goes to the same places`(seed: UInt64) {
        let places = DriveSimulator.driver(named: "anna", seed: seed, count: 0).places
        #expect(places == DriveSimulator.driver(named: "anna", seed: seed &+ 1, count: 0).places)
        #expect(places != DriveSimulator.driver(named: "bert", seed: seed, count: 0).places)
        #expect(Set(places.map(\.json)).count == places.count)
    }

    @Test func `a road that is hardly long enough for its tunnel has one`() throws {
        // The way of this driver to work is a little longer than ten kilometres.
        let days = DriveSimulator.driver(
            named: "v0128",
            seed: 1,
            startingOn: try Self.start(1),
            count: 400
        )
        #expect(!Self.lines(days).isEmpty)
    }

    @Test(arguments: Seeds.fresh(4))
    func `every event is accepted as it was meant, on its local day`(seed: UInt64) throws {
        let zone = try TimeZoneRules(name: "Amsterdam", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        var reader = EventLineReader()
        func check(_ event: TripEvent) throws {
            let line = Array(event.json.utf8)
            try reader.read(
                line.span,
                defaultSource: nil,
                recordedAt: event.occurredAt.advanced(byMilliseconds: 1_000)
            )
            #expect(try reader.candidate.event() == event)
            #expect(event.utcOffset == zone.utcOffset(at: event.occurredAt), "seed \(seed)")
        }
        // Both changes of the clocks in a year, a public holiday, and any week.
        for start in try ["2025-03-28", "2025-10-24", "2024-12-30"].map(Self.date) + [
            Self.start(seed)
        ] {
            let driver = DriveSimulator.driver(seed: seed, startingOn: start, count: 5)
            try check(driver.registration)
            for event in driver.places { try check(event) }
            for day in driver {
                let date = CivilDate(daysSince1970: start.daysSince1970 + day.number)
                #expect(Set(day.events.map(\.json)).count == day.events.count)
                for event in day.events {
                    try check(event)
                    let time = EventTime(event.occurredAt, utcOffset: event.utcOffset)
                    #expect(CivilDate(of: time) == date, "seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: ["2025-03-27", "2025-10-23", "2028-02-26"])
    func `truth goes on from day to day without a gap or an overlap`(start: String) throws {
        let start = try Self.date(start)
        let days = Array(DriveSimulator.driver(startingOn: start, count: 6))
        let parts = days.flatMap { $0.streams.flatMap(\.parts) }
        #expect(days.allSatisfy { $0.streams.count == 1 })
        for (part, next) in zip(parts, parts.dropFirst()) {
            #expect(part.start < part.end && part.end == next.start)
        }
        for day in days {
            let date = DriverDate(CivilDate(daysSince1970: start.daysSince1970 + day.number))
            #expect(day.streams[0].parts.first?.start == date.midnight)
        }
        let hours = days.map { day in
            let parts = day.streams[0].parts
            return parts[parts.count - 1].end.milliseconds(since: parts[0].start) / 3_600_000
        }
        let expected: [CivilDate: [Int64]] = [
            try Self.date("2025-03-27"): [24, 24, 24, 23, 24, 24],
            try Self.date("2025-10-23"): [24, 24, 24, 25, 24, 24],
            try Self.date("2028-02-26"): [24, 24, 24, 24, 24, 24],
        ]
        #expect(hours == expected[start])
    }

    @Test(arguments: Seeds.fresh(4))
    func `the phone counts its reports, also those that arrive late`(seed: UInt64) throws {
        let start = try Self.start(seed)
        let driver = DriveSimulator.driver(seed: seed, startingOn: start, count: 30)
        let events = driver.flatMap(\.events).filter { $0.source == driver.source }
        let inOrder = events.sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        #expect(Set(events.map(\.sequence)).count == events.count)
        #expect(zip(inOrder, inOrder.dropFirst()).allSatisfy { $0.occurredAt <= $1.occurredAt })
    }

    @Test(arguments: Seeds.fresh(4))
    func `the car goes as fast as a car, and its fixes lie where it was`(seed: UInt64) throws {
        var metric = LocalMetric()
        let driver = DriveSimulator.driver(
            named: "driver \(seed)",
            startingOn: try Self.start(seed),
            count: 30
        )
        for day in driver {
            for part in day.streams[0].parts {
                let seconds = Double(part.end.milliseconds(since: part.start)) / 1_000
                #expect(Double(part.lengthMeters) / seconds < 36, "seed \(seed)")
            }
            var previous: Fix?
            for event in day.events {
                guard let recorded = event.fixRecorded, recorded.accuracy?.doubleValue ?? 0 < 30
                else { continue }
                let fix = try #require(recorded.fix(occurredAt: event.occurredAt))
                defer { previous = fix }
                guard let previous else { continue }
                let meters = metric.geodesicMeters(from: previous.coordinate, to: fix.coordinate)
                let milliseconds = fix.occurredAt.milliseconds(since: previous.occurredAt)
                // Late fixes go back in time, and one fix of a thousand is far off.
                if milliseconds > 0 {
                    #expect(meters < 3_100 + 45 * Double(milliseconds) / 1_000)
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(4))
    func `the odometer shows what was driven`(seed: UInt64) throws {
        let driver = DriveSimulator.driver(
            named: "driver \(seed)",
            seed: seed,
            startingOn: try Self.date("2024-11-30"),
            count: 65
        )
        var driven = 0
        var readings: [(date: String, kilometers: Double, driven: Int)] = []
        for day in driver {
            for event in day.events {
                guard case .odometerRead(let read) = event.body else { continue }
                let isEvening = event.occurredAt > day.streams[0].parts[0].end
                let today = day.streams[0].parts.reduce(0) { $0 + $1.lengthMeters }
                readings.append(
                    (
                        "\(CivilDate(of: EventTime(event.occurredAt, utcOffset: event.utcOffset)))",
                        read.value.doubleValue,
                        driven + (isEvening ? today : 0)
                    )
                )
            }
            driven += day.streams[0].parts.reduce(0) { $0 + $1.lengthMeters }
        }
        #expect(
            readings.map(\.date) == ["2024-12-01", "2024-12-31", "2025-01-01", "2025-02-01"]
        )
        for (reading, next) in zip(readings, readings.dropFirst()) {
            let shown = next.kilometers - reading.kilometers
            let meters = next.driven - reading.driven
            // Whole kilometres, and what a car cuts off corners.
            #expect(abs(shown - Double(meters) / 1_000) < 1 + 0.01 * shown, "seed \(seed)")
        }
    }

    @Test func `a driver may be named and asked for days as far as they go`() throws {
        let last = SimulatedDriver.days.upperBound
        #expect(DriveSimulator.canDrive(from: last, count: 1))
        #expect(!DriveSimulator.canDrive(from: last, count: 2))
        #expect(!DriveSimulator.canDrive(from: try Self.date("2014-12-31"), count: 1))
        #expect(Array(DriveSimulator.driver(startingOn: last, count: 1)).count == 1)
        #expect(DriveSimulator.canName("Zoë"))
        let refused = ["", "a\nb", String(repeating: "a", count: 101)]
        #expect(!refused.contains(where: DriveSimulator.canName))
    }

    private static func lines(_ driver: SimulatedDriver) -> [String] {
        driver.flatMap { $0.events.map(\.json) + ["\($0.streams)"] }
    }

    /// Returns some day between 2015 and 2034.
    private static func start(_ seed: UInt64) throws -> CivilDate {
        CivilDate(daysSince1970: 16_436 + Int(seed &* 2_654_435_761 % 7_000))
    }

    private static func date(_ text: String) throws -> CivilDate {
        try #require(CivilDate(text))
    }
}
