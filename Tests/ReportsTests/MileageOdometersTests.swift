import Geodesy
import Projections
import Tables
import Testing
import TripEvents
import TripTracking

@testable import Reports

@Suite struct MileageOdometersTests {
    /// Midnight of 2026-03-16 in a zone an hour east of UTC.
    private static let midnight: Int64 = 1_773_615_600_000

    private static func at(_ minute: Int64) -> Timestamp {
        Timestamp(milliseconds: midnight + minute * 60_000)
    }

    private func trip(
        _ number: UInt64,
        _ minutes: ClosedRange<Int64>,
        vehicle: String? = "van",
        status: BookedStatus = .completed,
        meters: Int64 = 0
    ) -> BookedTrip {
        var trip = Trip(
            id: TripID(high: number, low: 0),
            source: "phone",
            vehicle: vehicle,
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: EventTime(Self.at(minutes.lowerBound), utcOffset: UTCOffset(minutes: 60)),
            recorded: Trip.Recorded(firstAt: Self.at(0), lastAt: Self.at(0))
        )
        trip.status = .completed
        trip.distance = Distance(millimeters: meters * 1_000)
        trip.endedAt = EventTime(Self.at(minutes.upperBound), utcOffset: UTCOffset(minutes: 60))
        var booked = BookedTrip(trip)
        booked.status = status
        return booked
    }

    private func vehicles(_ readings: [(minute: Int64, kilometers: Int64)]) throws -> VehicleBook {
        VehicleBook(
            try readings.enumerated()
                .map { index, reading in
                    let body = EventBody.odometerRead(
                        OdometerRead(
                            vehicle: "van",
                            value: try #require(ExactDecimal(reading.kilometers)),
                            unit: .kilometers
                        )
                    )
                    let event = TripEvent(
                        source: "manual",
                        occurredAt: Self.at(reading.minute),
                        body: body
                    )
                    let identity = IdentityDigest(words: [UInt64(index), 0, 0, 0])
                    return try #require(
                        Decision(event, identity: identity, recordedAt: event.occurredAt)
                    )
                }
        )
    }

    private func lines(of trips: [BookedTrip], _ vehicles: VehicleBook) -> [MileageLine] {
        let period = LocalPeriod(localDay: LocalDay(zone: .utc))
        let inOrder = trips.sorted {
            $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp
        }
        var log = MileageLog(in: period, vehicles: vehicles) { note in
            for trip in inOrder { note(trip) }
        }
        return inOrder.compactMap { log.add($0) }
    }

    /// Expects what was read of the odometer at both ends of the trip of minutes 600 to 660.
    private func expect(
        _ start: Int64?,
        _ end: Int64?,
        readings: [(minute: Int64, kilometers: Int64)],
        others: [BookedTrip] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let lines = lines(of: others + [trip(1, 600...660)], try vehicles(readings))
        let line = try #require(lines.first { $0.trip.high == 1 })
        let kilometers = [line.odometerStart, line.odometerEnd]
            .map { $0?.basis == .read ? $0.map { $0.distance.millimeters / 1_000_000 } : nil }
        #expect(kilometers == [start, end], sourceLocation: sourceLocation)
    }

    @Test func `the nearest readings of the day hold, and those during the trip do not`() throws {
        try expect(2, 4, readings: [(10, 1), (600, 2), (630, 3), (660, 4), (700, 5)])
        try expect(nil, nil, readings: [(630, 3)])
        try expect(nil, nil, readings: [])
    }

    @Test func `a reading of another day was not made at the trip`() throws {
        try expect(nil, nil, readings: [(-1, 1), (1_440, 2)])
        try expect(1, 2, readings: [(0, 1), (1_439, 2)])
    }

    @Test func `a reading with another trip in between was not made at the trip`() throws {
        let before = trip(2, 100...200)
        let after = trip(3, 700...800)
        try expect(nil, nil, readings: [(50, 1), (900, 2)], others: [before, after])
        try expect(nil, nil, readings: [(150, 1), (750, 2)], others: [before, after])
        try expect(1, 2, readings: [(200, 1), (700, 2)], others: [before, after])
        try expect(nil, nil, readings: [(590, 1), (670, 2)], others: [trip(2, 550...700)])
    }

    @Test func `trips that do not count or have another vehicle are not in between`() throws {
        let others = [
            trip(2, 100...200, vehicle: "car"), trip(3, 100...200, status: .voided),
            trip(4, 700...800, vehicle: nil), trip(5, 700...800, status: .abandoned),
        ]
        try expect(1, 2, readings: [(50, 1), (900, 2)], others: others)
    }

    @Test func `a trip without a vehicle has no odometer`() throws {
        let trips = [trip(1, 600...660, vehicle: nil)]
        let lines = lines(of: trips, try vehicles([(600, 1), (660, 2)]))
        #expect(lines.map(\.odometerStart) == [nil])
        #expect(lines.map(\.odometerEnd) == [nil])
    }

    @Test func `what nobody read is derived, said, and enough for a checklist`() throws {
        let before = trip(2, 100...200, meters: 30_000)
        let lines = lines(
            of: [before, trip(1, 600...660, meters: 20_000), trip(3, 700...800, meters: 1_000)],
            try vehicles([(90, 1_000), (690, 1_051)])
        )
        let shown = lines.map { [$0.odometerStart, $0.odometerEnd] }
        #expect(
            shown.map { $0.map { $0?.distance.millimeters } } == [
                [1_000_000_000, 1_030_600_000], [1_030_600_000, 1_051_000_000],
                [1_051_000_000, 1_052_000_000],
            ]
        )
        #expect(
            shown.map { $0.map { $0?.basis } } == [
                [.read, .calibrated], [.calibrated, .read], [.read, .carried],
            ]
        )
        var completeness = Completeness()
        for line in lines { completeness.add(line) }
        #expect(completeness[.noOdometer].isEmpty)
        #expect(lines.map(\.distance.millimeters) == [30_000_000, 20_000_000, 1_000_000])
    }

    private func printed(
        _ trips: [BookedTrip],
        _ vehicles: VehicleBook,
        in period: LocalPeriod = LocalPeriod(localDay: LocalDay(zone: .utc))
    ) -> (carried: [String], doubts: [String]) {
        var log = MileageLog(in: period, vehicles: vehicles) { note in
            for trip in trips { note(trip) }
        }
        var head = MileageHead()
        for trip in trips { if let line = log.add(trip) { head.add(line) } }
        let carried = head.carriedSentences(in: .kilometers, by: period.localDay)
        let doubts = Phrase.odometersInDoubt(log.odometerDoubts)
        return (carried.map(\.english), doubts.map(\.english))
    }

    @Test func `what is carried says from which reading, and on which day that was`() throws {
        let trips = [
            trip(2, 100...200, meters: 30_000), trip(1, 600...660, meters: 20_000),
            trip(3, 700...800, meters: 1_000),
        ]
        let readings: [(minute: Int64, kilometers: Int64)] = [(90, 1_000), (690, 1_051)]
        let day = LocalDay(zone: .utc).day(of: EventTime(Self.at(690)))
        #expect(
            printed(trips, try vehicles(readings)).carried
                == ["Carried on from: van 1051.00 km (\(day))."]
        )
        #expect(printed(Array(trips.dropLast()), try vehicles(readings)).carried == [])
    }

    @Test(
        arguments: [
            // As little as a kilometre is how an odometer rounds.
            (1_030, nil), (1_029, nil), (1_027, "Between two readings, trips have more"),
            (999, "An odometer shows less than before (van)"),
        ] as [(Int64, String?)]
    )
    func `a log says that trips exceed an odometer, or that it went back`(
        second: Int64,
        sentence: String?
    ) throws {
        let trips = [trip(2, 100...200, meters: 30_000)]
        let vehicles = try vehicles([(90, 1_000), (690, second)])
        let doubts = printed(trips, vehicles).doubts
        #expect(doubts.count == (sentence == nil ? 0 : 1))
        if let sentence { #expect(doubts[0].hasPrefix(sentence)) }
        #expect(doubts.allSatisfy { $0.contains("`ledger odometer VEHICLE --list`") })
        let later = LocalPeriod(from: CivilDate("2027-01-01"), localDay: LocalDay(zone: .utc))
        #expect(printed(trips, vehicles, in: later).doubts == [])
    }
}
