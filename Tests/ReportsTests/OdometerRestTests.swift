import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

@testable import Reports

/// What odometers went on no trip: lines of their own in a log, and part of the Dutch 500 km.
@Suite struct OdometerRestTests {
    /// 2026-01-01 in UTC.
    private static let newYear: Int64 = 1_767_225_600_000
    private static let hour: Int64 = 3_600_000

    private static func at(_ hours: Int64) -> Timestamp {
        Timestamp(milliseconds: newYear + hours * hour)
    }

    private static func trip(
        _ number: UInt64,
        at hours: Int64,
        meters: Int64,
        _ tripClass: TripClass,
        vehicle: String = "van"
    ) -> BookedTrip {
        var trip = SampleTrip.active(high: number, startedAt: at(hours).milliseconds)
        trip.endedAt = EventTime(at(hours + 1))
        trip.status = .completed
        trip.distance = Distance(millimeters: meters * 1_000)
        var booked = BookedTrip(trip)
        booked.details.vehicle = vehicle
        booked.details.tripClass = tripClass
        return booked
    }

    private static func book(
        _ readings: [(hours: Int64, meters: Int64)],
        of vehicle: String = "van"
    ) throws -> VehicleBook {
        VehicleBook(
            try readings.enumerated()
                .map { index, reading in
                    let body = EventBody.odometerRead(
                        OdometerRead(
                            vehicle: vehicle,
                            value: try #require(
                                ExactDecimal(significand: reading.meters, decimals: 3)
                            ),
                            unit: .kilometers
                        )
                    )
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: at(reading.hours),
                        body: body
                    )
                    let identity = IdentityDigest(words: [UInt64(index), 0, 0, 0])
                    return try #require(
                        Decision(event, identity: identity, recordedAt: event.occurredAt)
                    )
                }
        )
    }

    private static func log(
        of trips: [BookedTrip],
        _ vehicles: VehicleBook,
        vehicle: String? = nil,
        tripClass: TripClass? = nil,
        from first: String? = nil,
        to last: String? = nil
    ) -> MileageLog {
        MileageLog(
            in: LocalPeriod(
                from: first.flatMap { CivilDate($0) },
                to: last.flatMap { CivilDate($0) },
                localDay: LocalDay(zone: .utc)
            ),
            vehicle: vehicle,
            tripClass: tripClass,
            vehicles: vehicles
        ) { note in for trip in trips { note(trip) } }
    }

    @Test func `a rest stands in the longest time without a trip, between its odometers`() throws {
        let trips = [
            Self.trip(1, at: 10, meters: 20_000, .business),
            Self.trip(2, at: 20, meters: 10_000, .personal),
        ]
        let vehicles = try Self.book([(0, 1_000_000), (200, 1_040_900)])
        let rests = Self.log(of: trips, vehicles).odometerRests
        // 30 km may be 30.9 km; the other 10 were driven after the last trip.
        #expect(rests.count == 1)
        let rest = try #require(rests.first)
        #expect(rest.distance == Distance(millimeters: 10_000_000))
        #expect([rest.from, rest.to] == [Self.at(21), Self.at(200)])
        #expect(rest.odometer == Distance(millimeters: 1_030_900_000))
        #expect(rest.odometerAfter == Distance(millimeters: 1_040_900_000))
        #expect(rest.hasLine)
        #expect(Self.log(of: trips, vehicles, tripClass: .business).odometerRests.isEmpty)
        #expect(Self.log(of: trips, vehicles, vehicle: "car").odometerRests.isEmpty)
        #expect(Self.log(of: trips, vehicles, vehicle: "van").odometerRests == rests)
        #expect(Self.log(of: trips, vehicles, to: "2026-01-01").odometerRests == rests)
        #expect(Self.log(of: trips, vehicles, from: "2026-01-02").odometerRests.isEmpty)
    }

    @Test func `an odometer without trips stands alone, and a small rest has no line`() throws {
        let alone = Self.log(of: [], try Self.book([(0, 1_000_000), (48, 1_012_000)]))
        #expect(alone.odometerRests.map(\.distance) == [Distance(millimeters: 12_000_000)])
        let small = Self.log(of: [], try Self.book([(0, 1_000_000), (48, 1_000_999)]))
        #expect(small.odometerRests.map(\.hasLine) == [false])
        let replaced = Self.log(of: [], try Self.book([(0, 1_000_000), (48, 5_000)]))
        #expect(replaced.odometerRests.isEmpty)
    }

    /// Trips of a year, none of which overlap, and readings before, between and after them.
    private static func year(
        _ random: inout SplitMix64
    ) -> (trips: [BookedTrip], readings: [(hours: Int64, meters: Int64)]) {
        var trips: [BookedTrip] = []
        var shown: Int64 = 40_000_000
        var readings = [(hours: Int64(0), meters: shown)]
        var hours: Int64 = 5
        for number in UInt64(1)...60 {
            let meters = Int64.random(in: 1_000...90_000, using: &random)
            let tripClass = TripClass.allCases.randomElement(using: &random) ?? .business
            trips.append(trip(number, at: hours, meters: meters, tripClass))
            shown += meters + meters * Int64.random(in: 0...5, using: &random) / 100
            hours += Int64.random(in: 2...120, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                shown += [0, 0, 25_000].randomElement(using: &random) ?? 0
                readings.append((hours - 1, shown))
            }
        }
        readings.append((hours, shown))
        return (trips, readings)
    }

    @Test(arguments: Seeds.fresh(40))
    func `trips, what is spread over them, and the rests are what the odometer went`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let (trips, readings) = Self.year(&random)
        let vehicles = try Self.book(readings)
        let log = Self.log(of: trips, vehicles)
        var odometers = MileageOdometers(vehicles, localDay: LocalDay(zone: .utc))
        for trip in trips { odometers.note(trip) }
        odometers.derive()
        let driven = trips.reduce(Distance.zero) { $0 + $1.claimedDistance }
        let spread = trips.reduce(Distance.zero) { $0 + odometers.calibration(of: $1) }
        let rests = log.odometerRests.reduce(Distance.zero) { $0 + $1.distance }
        let went = Distance(
            millimeters: ((readings.last?.meters ?? 0) - (readings.first?.meters ?? 0)) * 1_000
        )
        #expect(driven + spread + rests == went, "seed \(seed)")
        // A rest lies between trips, and the odometer shows it there; what was read later on the
        // same day may be behind it.
        for rest in log.odometerRests {
            for trip in trips {
                guard let line = log.line(of: trip) else { continue }
                let marks = [line.odometerStart, line.odometerEnd].compactMap(\.self)
                    .filter { $0.basis != .read }.map(\.distance)
                let isBefore = trip.trip.startedAt.timestamp < rest.from
                #expect(
                    marks.allSatisfy { isBefore ? $0 <= rest.odometer : $0 >= rest.odometerAfter },
                    "seed \(seed)"
                )
            }
        }
    }

    @Test(arguments: Seeds.fresh(20))
    func `days add up: each rest is in one of two periods`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (trips, readings) = Self.year(&random)
        let vehicles = try Self.book(readings)
        let day = CivilDate(
            daysSince1970: 20_454 + Int(random.next() % 120)
        )
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        let first = Self.log(of: trips, vehicles, to: "\(day)").odometerRests
        let second = Self.log(of: trips, vehicles, from: "\(next)").odometerRests
        #expect(first + second == Self.log(of: trips, vehicles).odometerRests, "seed \(seed)")
    }

    /// The private share of what no trip has, in some days.
    private static func rests(
        of trips: [BookedTrip],
        _ vehicles: VehicleBook,
        from first: String? = nil,
        to last: String? = nil
    ) -> PrivateRests {
        let period = LocalPeriod(
            from: first.flatMap { CivilDate($0) },
            to: last.flatMap { CivilDate($0) },
            localDay: LocalDay(zone: .utc)
        )
        var rests = PrivateRests(vehicles, in: period)
        for trip in trips { rests.add(trip) }
        rests.finish()
        return rests
    }

    @Test func `the Dutch limit counts what private trips and no trip leave on the odometer`()
        throws
    {
        let trips = [
            Self.trip(1, at: 10, meters: 200_000, .business),
            Self.trip(2, at: 20, meters: 100_000, .personal),
        ]
        let vehicles = try Self.book([(0, 1_000_000), (2_000, 1_349_000)])
        let all = Self.rests(of: trips, vehicles)
        let early = Self.rests(of: trips, vehicles, to: "2026-01-01")
        let late = Self.rests(of: trips, vehicles, from: "2026-01-02")
        let rest = all.rest(of: "van", in: 2026)
        // Of 49 km, 9 are spread over 300 km, and a third of these is private.
        #expect(rest.spread == Distance(millimeters: 3_000_000))
        #expect(rest.unrecorded == Distance(millimeters: 40_000_000))
        #expect(all.rest(of: "van", in: 2025) == PrivateRest())
        #expect(all.rest(of: nil, in: 2026) == PrivateRest())
        // The private trip, and the longest time without one, began on the first day.
        #expect(early.rest(of: "van", in: 2026) == rest)
        #expect(late.rest(of: "van", in: 2026) == PrivateRest())
        #expect(all.isAll(of: "van", in: 2026) && !all.isAll(of: "car", in: 2026))
        let year = Self.rests(of: trips, vehicles, from: "2026-01-01", to: "2026-12-31")
        #expect(year.isAll(of: "van", in: 2026) && !late.isAll(of: "van", in: 2026))
        #expect(!Self.rests(of: trips, vehicles, to: "2026-12-30").isAll(of: "van", in: 2026))
        var log = Self.log(of: trips, vehicles)
        var summary = YearSummary(for: .nl) { $0.millimeters }
        for trip in trips {
            let line = log.add(trip)
            summary.add(try #require(line))
        }
        let group = try #require(summary.years.first)
        func lines(until lastDay: CivilDate?) -> [FormLine] {
            FormLines(
                group,
                vehicle: nil,
                readings: vehicles.readings(of: "van"),
                rest: rest,
                localDay: LocalDay(zone: .utc),
                until: lastDay
            )
            .lines(for: .nl, months: [])
        }
        let known = lines(until: nil)
        func value(_ label: FormLine.Label) -> FormLine.Value? {
            known.first { $0.label == label }?.value
        }
        #expect(value(.leftOfLimit) == .odometer(Distance(millimeters: 400_000_000)))
        #expect(value(.privateRest) == .odometer(rest.spread))
        #expect(value(.onNoTrip) == .odometer(rest.unrecorded))
        #expect(value(.leftByOdometer) == .odometer(Distance(millimeters: 357_000_000)))
        #expect(value(.odometerInterval) == .count(83))
        // The time since the last reading counts, up to the day that was asked for.
        let last = try #require(vehicles.readings(of: "van").last).readAt
        for (days, longest) in [(-1, 83), (60, 83), (84, 84), (200, 200)] as [(Int, Int64)] {
            let day = LocalDay(zone: .utc).day(of: last).daysSince1970 + days
            let open = lines(until: CivilDate(daysSince1970: day))
            let interval = open.first { $0.label == .odometerInterval }?.value
            #expect(interval == .count(longest))
        }
    }
}
