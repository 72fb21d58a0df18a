import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct UnrecordedWayTests {
    /// A trip between two places on one meridian, in metres to the north, from one minute to
    /// another.
    private static func trip(
        _ number: UInt64,
        minutes: ClosedRange<Int64>,
        from start: Double?,
        to end: Double?,
        vehicle: String? = "van",
        source: String = "phone",
        seenAt seen: Double? = nil,
        status: BookedStatus = .completed
    ) -> BookedTrip {
        var trip = SampleTrip.active(high: number, startedAt: minutes.lowerBound * 60_000)
        trip.source = source
        trip.start = start.flatMap(place)
        trip.end = end.flatMap(place)
        trip.lastSeen = seen.flatMap(place)
        trip.endedAt = EventTime(Timestamp(milliseconds: minutes.upperBound * 60_000))
        var booked = BookedTrip(trip)
        booked.status = status
        booked.details.vehicle = vehicle
        return booked
    }

    private static func place(north meters: Double) -> Coordinate? {
        // A minute of latitude at 52° is 1,854.6 m long.
        Coordinate(latitude: 52 + meters / 111_276, longitude: 4)
    }

    /// The trips before which something is not recorded, with whole kilometres.
    private static func ways(_ trips: [BookedTrip]) -> [UInt64: Int64] {
        var ways = UnrecordedWays()
        var found: [UInt64: Int64] = [:]
        for trip in trips {
            guard let way = TripEnds(trip).flatMap({ ways.take($0) }) else { continue }
            found[way.later.trip.high] = (way.distance.millimeters + 500_000) / 1_000_000
        }
        return found
    }

    @Test func `a trip that starts elsewhere than the last one ended has a way before it`() {
        let first = Self.trip(1, minutes: 0...10, from: 0, to: 1_000)
        let near = Self.trip(2, minutes: 20...30, from: 1_190, to: 4_000)
        let far = Self.trip(3, minutes: 40...50, from: 9_000, to: 0)
        #expect(Self.ways([first, near, far]) == [3: 5])
        #expect(Self.ways([first]) == [:])
    }

    @Test func `vehicles move apart from each other, whichever source records them`() {
        let trips = [
            Self.trip(1, minutes: 0...10, from: 0, to: 1_000),
            Self.trip(2, minutes: 20...30, from: 50_000, to: 51_000, vehicle: "car"),
            Self.trip(3, minutes: 40...50, from: 1_000, to: 2_000, source: "box"),
            Self.trip(4, minutes: 60...70, from: 54_000, to: 55_000, vehicle: "car"),
        ]
        #expect(Self.ways(trips) == [4: 3])
    }

    @Test func `trips that name no vehicle are those of their source`() {
        let trips = [
            Self.trip(1, minutes: 0...10, from: 0, to: 1_000, vehicle: nil),
            Self.trip(2, minutes: 20...30, from: 9_000, to: 0, vehicle: nil, source: "box"),
            Self.trip(3, minutes: 40...50, from: 3_000, to: 2_000, vehicle: nil),
        ]
        #expect(Self.ways(trips) == [3: 2])
    }

    @Test func `a walk takes the recorder along, and has no way before it`() {
        let drive = Self.trip(1, minutes: 0...10, from: 0, to: 1_000, vehicle: nil)
        let walk = Self.trip(
            2,
            minutes: 20...30,
            from: 1_500,
            to: 3_000,
            vehicle: nil,
            status: .abandoned
        )
        let next = Self.trip(3, minutes: 40...50, from: 3_100, to: 0, vehicle: nil)
        #expect(Self.ways([drive, walk, next]) == [:])
    }

    @Test func `after a trip that a person reported it is not known where the vehicle is`() {
        let drive = Self.trip(1, minutes: 0...10, from: 0, to: 1_000)
        var report = Self.trip(2, minutes: 20...30, from: nil, to: nil)
        report.isMeasured = false
        let next = Self.trip(3, minutes: 40...50, from: 30_000, to: 0)
        #expect(Self.ways([drive, report, next]) == [:])
        // A trip without a position says nothing, though a device recorded it.
        report.isMeasured = true
        #expect(Self.ways([drive, report, next]) == [3: 29])
    }

    @Test func `voided trips and parts of others are not looked at`() {
        let drive = Self.trip(1, minutes: 0...10, from: 0, to: 1_000)
        let next = Self.trip(3, minutes: 40...50, from: 1_000, to: 0)
        for status in [BookedStatus.voided, .merged, .active] {
            let other = Self.trip(2, minutes: 20...30, from: 8_000, to: 9_000, status: status)
            #expect(Self.ways([drive, other, next]) == [:], "\(status)")
        }
    }

    @Test func `nothing lies between trips that overlap`() {
        let long = Self.trip(1, minutes: 0...60, from: 0, to: 1_000)
        let within = Self.trip(2, minutes: 20...30, from: 9_000, to: 9_500)
        let next = Self.trip(3, minutes: 70...80, from: 1_000, to: 0)
        #expect(Self.ways([long, within, next]) == [:])
    }

    @Test func `where a source was seen between its trips shortens the way, or begins the first`() {
        let first = Self.trip(1, minutes: 0...10, from: 5_000, to: 1_000, vehicle: nil, seenAt: 0)
        let next = Self.trip(2, minutes: 20...30, from: 9_000, to: 0, vehicle: nil, seenAt: 6_000)
        // A person who was seen far away has come back to the car.
        let back = Self.trip(3, minutes: 40...50, from: 50, to: 0, vehicle: nil, seenAt: 30_000)
        #expect(Self.ways([first, next, back]) == [1: 5, 2: 3])
        // The vehicle has not moved with who was seen.
        let van = Self.trip(4, minutes: 60...70, from: 0, to: 1_000, seenAt: 0)
        let far = Self.trip(5, minutes: 80...90, from: 8_000, to: 1_000, seenAt: 8_000)
        #expect(Self.ways([van, far]) == [5: 7])
    }

    /// One pass finds the same as a look at all earlier trips.
    @Test(arguments: Seeds.fresh(40))
    func `a way begins where the trip ended that was the last to end before`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trips = (0..<60)
            .map { number in
                let start = Int64.random(in: 0...1_000, using: &random)
                let end = start + Int64.random(in: 0...60, using: &random)
                let isKnown = Int.random(in: 0..<8, using: &random) > 0
                let places = (0..<2).map { _ in Double.random(in: 0...2_000, using: &random) }
                var trip = Self.trip(
                    UInt64(number),
                    minutes: start...end,
                    from: isKnown ? places[0] : nil,
                    to: isKnown ? places[1] : nil,
                    vehicle: ["van", "car", nil].randomElement(using: &random) ?? nil,
                    source: Bool.random(using: &random) ? "phone" : "box",
                    seenAt: Bool.random(using: &random) ? places[0] - 500 : nil,
                    status: BookedStatus.allCases.randomElement(using: &random) ?? .completed
                )
                trip.isMeasured = Int.random(in: 0..<8, using: &random) > 0
                return trip
            }
            .sorted { ($0.trip.startedAt.timestamp, $0.id) < ($1.trip.startedAt.timestamp, $1.id) }
        var ways = UnrecordedWays()
        for (index, trip) in trips.enumerated() {
            let found = TripEnds(trip).flatMap { ways.take($0) }
            let expected = Self.way(before: trip, among: trips[..<index])
            #expect(found?.earlier == expected?.earlier, "seed \(seed), trip \(index)")
            #expect(found?.distance == expected?.distance, "seed \(seed), trip \(index)")
        }
    }

    private static func way(
        before trip: BookedTrip,
        among earlier: ArraySlice<BookedTrip>
    ) -> (earlier: TripID?, distance: Distance)? {
        let known = earlier.filter { other in
            let isOver = other.status == .completed || other.status == .abandoned
            let isSame =
                other.details.vehicle == trip.details.vehicle
                && (trip.details.vehicle != nil || other.trip.source == trip.trip.source)
            return isOver && isSame && (other.trip.end != nil || !other.isMeasured)
        }
        let latest = known.compactMap(\.trip.endedAt?.timestamp).max()
        guard trip.counts, let start = trip.trip.start else { return nil }
        guard let last = known.last(where: { $0.trip.endedAt?.timestamp == latest }) else {
            let distance = trip.trip.lastSeen?.distance(to: start) ?? .zero
            return distance.millimeters > 200_000 ? (nil, distance) : nil
        }
        guard let end = last.trip.end, let endedAt = last.trip.endedAt,
            endedAt.timestamp <= trip.trip.startedAt.timestamp
        else { return nil }
        var distance = end.distance(to: start)
        if trip.details.vehicle == nil, let seen = trip.trip.lastSeen {
            distance = min(distance, seen.distance(to: start))
        }
        return distance.millimeters > 200_000 ? (last.id, distance) : nil
    }
}
