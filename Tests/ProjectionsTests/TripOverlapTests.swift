import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct TripOverlapTests {
    /// A trip at 10 m/s to the north from one half minute to another, so many metres to the east.
    private static func trip(
        _ number: UInt64,
        _ halfMinutes: ClosedRange<Int64>,
        east: Double = 0,
        latitude: Double = 52,
        vehicle: String? = nil,
        source: String = "phone",
        gap milliseconds: Int64 = 0,
        isReported: Bool = false,
        mergedOf parts: [ClosedRange<Int64>] = []
    ) throws -> TripEnds {
        let start = halfMinutes.lowerBound * 30_000
        var trip = SampleTrip.active(high: number, startedAt: start)
        trip.source = source
        trip.endedAt = EventTime(Timestamp(milliseconds: halfMinutes.upperBound * 30_000))
        trip.gaps.milliseconds = milliseconds
        trip.way = WaySketch(
            try halfMinutes.map { number in
                WaySketch.Point(
                    at: Timestamp(milliseconds: number * 30_000),
                    coordinate: try place(300 * Double(number), east, latitude)
                )
            }
        )
        var booked = BookedTrip(trip)
        booked.status = .completed
        booked.details.vehicle = vehicle
        booked.isMeasured = !isReported
        booked.parts = parts.map { part in
            BookedTrip.Part(
                id: trip.id,
                startedAt: EventTime(Timestamp(milliseconds: part.lowerBound * 30_000)),
                endedAt: EventTime(Timestamp(milliseconds: part.upperBound * 30_000))
            )
        }
        return try #require(TripEnds(booked))
    }

    private static func place(
        _ north: Double,
        _ east: Double,
        _ latitude: Double
    ) throws -> Coordinate {
        // At 52° a degree of latitude is 111.3 km, and one of longitude 68.7 km.
        try #require(
            Coordinate(latitude: latitude + north / 111_276, longitude: 4 + east / 68_700)
        )
    }

    private static func overlaps(
        _ trips: [TripEnds],
        mostUnplaced: Int = 32
    ) throws -> TripOverlaps {
        var search = OverlapSearch(mostUnplaced: mostUnplaced)
        for trip in trips { try search.take(trip) }
        return search.overlaps()
    }

    /// The numbers of the trips that overlap, each with that of the other, and of those left out.
    private static func found(
        _ trips: [TripEnds]
    ) throws -> (pairs: [UInt64: UInt64], out: [UInt64]) {
        let all = try overlaps(trips).all
        return (
            Dictionary(uniqueKeysWithValues: all.map { ($0.ends.trip.high, $0.other.trip.high) }),
            all.filter(\.isLeftOut).map(\.ends.trip.high)
        )
    }

    @Test func `two recorders that stay together were in one car, and both count`() throws {
        let phone = try Self.trip(1, 0...20)
        let box = try Self.trip(2, 1...20, east: 150, source: "box")
        let found = try Self.found([phone, box])
        #expect(found.pairs == [1: 2, 2: 1])
        #expect(found.out == [])
        let overlap = try #require(try Self.overlaps([phone, box])[phone.trip])
        #expect(overlap.worse.trip == box.trip)
    }

    @Test func `those that were elsewhere or at another time, and those of one source, were not`()
        throws
    {
        let phone = try Self.trip(1, 0...20)
        for other in [
            try Self.trip(2, 0...20, east: 250, source: "box"),
            try Self.trip(2, 20...40, source: "box"),
            try Self.trip(2, 15...40, source: "box"),
            try Self.trip(2, 0...20),
        ] {
            #expect(try Self.overlaps([phone, other]).isEmpty, "\(other)")
        }
    }

    @Test func `of one vehicle the one that was recorded longer counts`() throws {
        let phone = try Self.trip(1, 0...20, vehicle: "van", gap: 60_001)
        let box = try Self.trip(2, 2...20, vehicle: "van", source: "box")
        #expect(try Self.found([phone, box]).out == [1])
        let better = try Self.trip(1, 0...20, vehicle: "van", gap: 59_999)
        #expect(try Self.found([better, box]).out == [2])
        let same = try Self.trip(2, 0...20, vehicle: "van", source: "box", gap: 59_999)
        #expect(try Self.found([better, same]).out == [2])
        let other = try Self.trip(2, 2...20, vehicle: "car", source: "box")
        #expect(try Self.found([phone, other]).out == [])
        let overlaps = try Self.overlaps([phone, box])
        let (left, kept) = (try #require(overlaps[phone.trip]), try #require(overlaps[box.trip]))
        #expect(left.isLeftOut && !left.isOtherLeftOut && left.worse.trip == phone.trip)
        #expect(!kept.isLeftOut && kept.isOtherLeftOut && kept.worse.trip == phone.trip)
        #expect(overlaps.leaveOut(phone.trip) && !overlaps.leaveOut(box.trip))
    }

    @Test func `a reported row of a measured drive is left out, also if no vehicle is named`()
        throws
    {
        let phone = try Self.trip(1, 0...20, vehicle: "van", gap: 300_000)
        for vehicle in ["van", nil] {
            let row = try Self.trip(
                2,
                2...18,
                east: 9_000,
                vehicle: vehicle,
                source: "mileiq",
                isReported: true
            )
            #expect(try Self.found([phone, row]).out == [2])
        }
        for other in [
            try Self.trip(2, 2...18, vehicle: "car", source: "mileiq", isReported: true),
            try Self.trip(2, 15...40, vehicle: "van", source: "mileiq", isReported: true),
        ] {
            #expect(try Self.overlaps([phone, other]).isEmpty, "\(other)")
        }
    }

    @Test func `between the parts of a merged trip other trips of its vehicle count`() throws {
        func report(_ number: UInt64, _ time: ClosedRange<Int64>) throws -> TripEnds {
            try Self.trip(number, time, vehicle: "van", source: "manual", isReported: true)
        }
        let merged = try Self.trip(
            1,
            0...100,
            vehicle: "van",
            source: "manual",
            isReported: true,
            mergedOf: [0...20, 80...100]
        )
        #expect(merged.travelTime.milliseconds == 40 * 30_000)
        #expect(try Self.overlaps([merged, try report(2, 20...80)]).isEmpty)
        #expect(try Self.overlaps([merged, try report(2, 10...40)]).isEmpty)
        #expect(try Self.found([merged, try report(2, 5...25)]).out == [2])
    }

    @Test func `a merged trip gives way to what covers half of it, and to nothing less`() throws {
        let merged = try Self.trip(
            1,
            0...100,
            vehicle: "van",
            source: "manual",
            isReported: true,
            mergedOf: [0...20, 80...100]
        )
        let first = try Self.trip(2, 0...19, vehicle: "van")
        #expect(try Self.found([merged, first]).out == [2])
        let second = try Self.trip(3, 80...100, vehicle: "van")
        #expect(try Self.found([merged, second]).out == [1])
        #expect(try Self.found([merged, first, second]).out == [1])
    }

    @Test func `of two reported rows of one table the longer counts`() throws {
        let rows = [
            try Self.trip(1, 0...41, vehicle: "ev", source: "csv", isReported: true),
            try Self.trip(2, 30...41, vehicle: "ev", source: "csv", isReported: true),
        ]
        #expect(try Self.found(rows).out == [2])
    }

    @Test func `a trip that counts gets the details that it lacks from the one left out`() throws {
        let phone = try Self.trip(1, 0...20, vehicle: "van")
        let row = try Self.trip(2, 2...18, source: "mileiq", isReported: true)
        var overlaps = try Self.overlaps([phone, row])
        var said = BookedTrip(SampleTrip.active(high: 2, startedAt: 60_000))
        said.details.tripClass = .business
        said.details.purpose = "Visit"
        said.details.vehicle = "other"
        overlaps.give(detailsOf: said)
        var measured = BookedTrip(SampleTrip.active(high: 1, startedAt: 0))
        measured.details.vehicle = "van"
        let filled = overlaps.filled(measured)
        #expect(filled.tripClass == .business && filled.details.purpose == "Visit")
        #expect(filled.details.vehicle == "van")
        #expect(filled.trip == measured.trip && filled.detailsRecorded == said.trip.recorded)
        #expect(!overlaps.isContradicted(measured))
        measured.details.tripClass = .personal
        #expect(overlaps.isContradicted(measured))
        #expect(overlaps.filled(measured).tripClass == .personal)
        #expect(overlaps.counted(insteadOf: said.id) == measured.id)
    }

    @Test func `a person is asked where two trips of one drive say different things`() throws {
        let phone = try Self.trip(1, 0...20, vehicle: "van")
        let row = try Self.trip(2, 2...18, source: "mileiq", isReported: true)
        var said = BookedTrip(SampleTrip.active(high: 2, startedAt: 60_000))
        (said.details.tripClass, said.details.purpose) = (.business, "Visit")
        said.details.client = "Bauer"
        var measured = BookedTrip(SampleTrip.active(high: 1, startedAt: 0))
        func question(_ change: (inout BookedTrip) -> Void) throws -> TripOverlaps.Question? {
            var overlaps = try Self.overlaps([phone, row])
            overlaps.give(detailsOf: said)
            var changed = measured
            change(&changed)
            let question = overlaps.question(about: changed)
            #expect(question.map { $0.twin == said.id } ?? true)
            let isAnswered = question.map { $0.subject == .vehicle } ?? true
            #expect(overlaps.isContradicted(changed) == !isAnswered)
            return question
        }
        // Neither names a vehicle.
        #expect(try question { _ in }?.subject == .vehicle)
        measured.details.vehicle = "van"
        #expect(try question { _ in } == nil)
        #expect(try question { $0.details.purpose = "visit" } == nil)
        let purpose = try question { $0.details.purpose = "Repair" }
        #expect(purpose?.subject == .purpose && purpose?.said == "Visit")
        #expect(try question { $0.details.client = "Meier" }?.subject == .client)
        #expect(try question { $0.details.tripClass = .personal }?.subject == .tripClass)
        // Its own words stay, and what it lacks it gets.
        var overlaps = try Self.overlaps([phone, row])
        overlaps.give(detailsOf: said)
        measured.details.purpose = "Repair"
        let filled = overlaps.filled(measured)
        #expect(filled.details.purpose == "Repair" && filled.details.client == "Bauer")
    }

    @Test func `what overlaps only one that is left out counts`() throws {
        let trips = [
            try Self.trip(1, 0...20, vehicle: "van"),
            try Self.trip(2, 10...28, vehicle: "van", source: "box"),
            try Self.trip(3, 19...35, vehicle: "van", source: "watch"),
        ]
        let found = try Self.found(trips)
        #expect(found.pairs == [1: 2, 2: 1, 3: 2])
        #expect(found.out == [2])
    }

    @Test(arguments: Seeds.fresh(20))
    func `trips of a fleet are found by their places as they are one by one`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trips = try (0..<200)
            .map { number in
                let start = Int64.random(in: 0...400, using: &random)
                return try Self.trip(
                    UInt64(number),
                    start...start + Int64.random(in: 1...60, using: &random),
                    east: Double.random(in: 0...900, using: &random),
                    latitude: [-89.9, -60, 0, 52, 84.99, 86].randomElement(using: &random) ?? 0,
                    vehicle: [nil, "van", "car"].randomElement(using: &random) ?? nil,
                    source: "source \(Int.random(in: 0...99, using: &random))",
                    isReported: Int.random(in: 0...9, using: &random) == 0
                )
            }
            .sorted { ($0.startedAt.timestamp, $0.trip) < ($1.startedAt.timestamp, $1.trip) }
        let oneByOne = try Self.overlaps(trips, mostUnplaced: .max)
        #expect(!oneByOne.isEmpty)
        for limit in [0, 1, 7, 32] {
            #expect(try Self.overlaps(trips, mostUnplaced: limit) == oneByOne, "seed \(seed)")
        }
        // If two trips of one vehicle overlap, at most one counts.
        for trip in oneByOne.all where !trip.isLeftOut {
            let isRival = trip.other.vehicle == trip.ends.vehicle && trip.ends.vehicle != nil
            #expect(!isRival || trip.isOtherLeftOut)
        }
    }
}
