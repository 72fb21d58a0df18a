import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct DerivedOdometerTests {
    /// What an odometer showed at a minute, in millimetres.
    private struct Reading {
        var minute: Int64
        var shown: Int64
    }

    private static func readings(_ readings: [Reading]) throws -> [OdometerReading] {
        VehicleBook(
            try readings.enumerated()
                .map { index, reading in
                    let read = OdometerRead(
                        vehicle: "van",
                        value: try #require(
                            ExactDecimal(significand: reading.shown, decimals: 6)
                        ),
                        unit: .kilometers
                    )
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: Book.at(reading.minute),
                        body: .odometerRead(read)
                    )
                    return try #require(
                        Decision(
                            event,
                            identity: IdentityDigest(words: [UInt64(index), 0, 0, 0]),
                            recordedAt: event.occurredAt
                        )
                    )
                }
        )
        .readings(of: "van")
    }

    private static func way(
        _ number: UInt64,
        _ minutes: ClosedRange<Int64>,
        _ millimeters: Int64
    ) -> DerivedOdometer.Way {
        DerivedOdometer.Way(
            trip: Book.id(number),
            from: Book.at(minutes.lowerBound),
            to: Book.at(minutes.upperBound),
            distance: Distance(millimeters: millimeters)
        )
    }

    /// A year of a vehicle, with what its odometer truly showed.
    private struct Year {
        var ways: [DerivedOdometer.Way] = []
        var readings: [Reading] = []

        /// Drives, measures a little more or less, leaves drives out, and reads now and then.
        init(using random: inout SplitMix64) {
            var minute: Int64 = 0
            var shown: Int64 = 40_000_000_000
            for number in 1...UInt64(400) {
                minute += Int64.random(in: 0...900, using: &random)
                if Int.random(in: 0..<8, using: &random) == 0 { read(minute, shown) }
                let duration = Int64.random(in: 0...120, using: &random)
                let driven = duration * Int64.random(in: 0...1_500_000, using: &random)
                let measured = driven / 1_000 * Int64.random(in: 900...1_040, using: &random)
                if Int.random(in: 0..<12, using: &random) > 0 {
                    ways.append(
                        DerivedOdometerTests.way(number, minute...minute + duration, measured)
                    )
                }
                if duration > 1, Int.random(in: 0..<20, using: &random) == 0 {
                    read(minute + duration / 2, shown + driven / 2)
                }
                (minute, shown) = (minute + duration, shown + driven)
                if Int.random(in: 0..<8, using: &random) == 0 { read(minute, shown) }
                if Int.random(in: 0..<90, using: &random) == 0 { shown = 1_000_000 }
            }
        }

        private mutating func read(_ minute: Int64, _ shown: Int64) {
            guard readings.last?.minute != minute else { return }
            readings.append(Reading(minute: minute, shown: shown))
        }
    }

    /// Expects that what is shown never goes back from a reading to the next one.
    private static func expectMonotonic(
        _ odometer: DerivedOdometer,
        _ readings: [OdometerReading],
        _ ways: [DerivedOdometer.Way],
        _ seed: UInt64
    ) {
        var shown: [(at: Timestamp, distance: Distance)] = []
        for way in ways {
            if let start = odometer.start(of: way.trip) {
                shown.append((way.startedAt, start.distance))
            }
            if let end = odometer.end(of: way.trip) { shown.append((way.endedAt, end.distance)) }
        }
        for (first, second) in zip(readings, readings.dropFirst())
        where first.distance <= second.distance {
            let (from, to) = (first.readAt.timestamp, second.readAt.timestamp)
            let within = shown.filter { from < $0.at && $0.at < to }
            let all = [first.distance] + within.map(\.distance) + [second.distance]
            #expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(40))
    func `a simulated year never goes back, meets each reading and adds up`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let year = Year(using: &random)
        let readings = try Self.readings(year.readings)
        let odometer = DerivedOdometer(readings, ways: year.ways)
        #expect(
            odometer == DerivedOdometer(readings, ways: year.ways.shuffled(using: &random)),
            "seed \(seed)"
        )
        #expect(odometer.intervals.count == max(0, readings.count - 1), "seed \(seed)")
        for interval in odometer.intervals {
            guard let spread = interval.spread, let rest = interval.unrecorded else {
                #expect(interval.difference < .zero, "seed \(seed)")
                continue
            }
            #expect(interval.driven + spread + rest == interval.difference, "seed \(seed)")
            #expect(
                spread.millimeters.magnitude * 100 <= interval.driven.millimeters.magnitude * 3,
                "seed \(seed)"
            )
            if let idle = interval.idle {
                #expect(idle.from < idle.to && rest > .zero, "seed \(seed)")
            }
        }
        Self.expectMonotonic(odometer, readings, year.ways, seed)
        for reading in readings {
            let at = reading.readAt.timestamp
            for way in year.ways where way.startedAt < way.endedAt {
                if way.startedAt == at {
                    let mark = odometer.start(of: way.trip)
                    #expect(mark?.distance == reading.distance, "seed \(seed)")
                    #expect(mark?.basis == .read, "seed \(seed)")
                }
                // One that shows less has been replaced: it says nothing of what was before.
                if way.endedAt == at, let mark = odometer.end(of: way.trip), mark.basis == .read {
                    #expect(mark.distance == reading.distance, "seed \(seed)")
                }
            }
        }
    }

    @Test func `a small rest is spread, and a large one stands alone in the longest idle time`()
        throws
    {
        let ways = [Self.way(1, 10...20, 10_000_000), Self.way(2, 100...110, 30_000_000)]
        let small = DerivedOdometer(
            try Self.readings([
                Reading(minute: 10, shown: 0), Reading(minute: 110, shown: 40_400_000),
            ]),
            ways: ways
        )
        #expect(small.intervals.map(\.spread?.millimeters) == [400_000])
        #expect(small.intervals.map(\.unrecorded?.millimeters) == [0])
        #expect(small.start(of: Book.id(1))?.basis == .read)
        #expect(small.end(of: Book.id(1))?.distance.millimeters == 10_100_000)
        #expect(small.end(of: Book.id(1))?.basis == .calibrated)
        #expect(small.end(of: Book.id(2))?.distance.millimeters == 40_400_000)

        let large = DerivedOdometer(
            try Self.readings([
                Reading(minute: 10, shown: 0), Reading(minute: 110, shown: 50_000_000),
            ]),
            ways: ways
        )
        #expect(large.intervals.map(\.spread?.millimeters) == [1_200_000])
        #expect(large.intervals.map(\.unrecorded?.millimeters) == [8_800_000])
        #expect(large.intervals.map(\.idle?.from) == [Book.at(20)])
        #expect(large.intervals.map(\.idle?.to) == [Book.at(100)])
        #expect(large.intervals.map(\.idle?.odometer.millimeters) == [10_300_000])
        #expect(large.end(of: Book.id(1))?.distance.millimeters == 10_300_000)
        #expect(large.start(of: Book.id(2))?.distance.millimeters == 19_100_000)
    }

    @Test func `before the first reading nothing is known, and after the last it is carried`()
        throws
    {
        let odometer = DerivedOdometer(
            try Self.readings([Reading(minute: 50, shown: 5_000_000)]),
            ways: [Self.way(1, 10...20, 1_000), Self.way(2, 60...70, 2_000)]
        )
        #expect(odometer.start(of: Book.id(1)) == nil)
        #expect(odometer.end(of: Book.id(1)) == nil)
        #expect(odometer.start(of: Book.id(2))?.basis == .carried)
        #expect(odometer.end(of: Book.id(2))?.distance.millimeters == 5_002_000)
    }

    @Test func `trips that claim far more than the odometer went say nothing beyond it`() throws {
        let odometer = DerivedOdometer(
            try Self.readings([Reading(minute: 0, shown: 0), Reading(minute: 100, shown: 1_000)]),
            ways: [Self.way(1, 10...20, 900), Self.way(2, 30...40, 900)]
        )
        #expect(odometer.intervals.map(\.unrecorded?.millimeters) == [-746])
        #expect(odometer.end(of: Book.id(1)) != nil)
        #expect(odometer.end(of: Book.id(2)) == nil)
    }
}
