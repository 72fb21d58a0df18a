import DriveSimulation
import Geodesy
import LedgerRows
import Projections
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Where trips begin and end that is no place yet.
@Suite struct UnnamedStopsTests {
    private static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    /// Returns a trip from one position to another, which starts so many minutes after the first.
    private static func trip(
        _ number: Int,
        from start: Coordinate?,
        to end: Coordinate?
    ) -> BookedTrip {
        let at = 1_700_000_000_000 + Int64(number) * 60_000
        var trip = SampleTrip.active(high: UInt64(number), startedAt: at)
        trip.status = .completed
        trip.start = start
        trip.end = end
        trip.endedAt = EventTime(Timestamp(milliseconds: at + 30_000))
        return BookedTrip(trip)
    }

    private static func stops(_ trips: [BookedTrip]) -> [UnnamedStop] {
        var stops = UnnamedStops(places: PlaceBook())
        for trip in trips { stops.add(trip) }
        return stops.all
    }

    /// Returns trips between four streets, and to where they go once.
    private static func drives(_ random: inout SplitMix64) throws -> [BookedTrip] {
        let streets = try (0..<4).map { try coordinate(52 + Double($0) * 0.05, 4.5) }
        return try (0..<60)
            .map { number in
                let ends = try (0..<2)
                    .map { _ in
                        let street = try #require(streets.randomElement(using: &random))
                        let isOnce = Int.random(in: 0..<10, using: &random) == 0
                        return try coordinate(
                            street.latitude + Double.random(in: 0...0.000_3, using: &random),
                            street.longitude + (isOnce ? 0.01 * Double(number + 1) : 0)
                        )
                    }
                return trip(number, from: ends[0], to: ends[1])
            }
    }

    @Test(arguments: Seeds.fresh(8))
    func `each end is in one stop, in whatever order trips come`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trips = try Self.drives(&random)
        let stops = Self.stops(trips)
        #expect(stops.reduce(0) { $0 + $1.arrivals } == trips.count, "seed \(seed)")
        #expect(stops.allSatisfy { $0.arrivals <= $0.trips }, "seed \(seed)")
        let counts = stops.map(\.trips)
        #expect(counts == counts.sorted(by: >), "seed \(seed)")
        #expect(stops == Self.stops(trips.shuffled(using: &random)), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(8))
    func `the circle of a stop holds nine in ten of its ends`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let home = try Self.coordinate(52.000_5, 4.500_5)
        let trips = try (0..<40)
            .map { number in
                let end = try Self.coordinate(
                    home.latitude + Double.random(in: -0.000_4...0.000_4, using: &random),
                    home.longitude + Double.random(in: -0.000_4...0.000_4, using: &random)
                )
                return Self.trip(number, from: nil, to: end)
            }
        let stop = try #require(Self.stops(trips).first)
        let inside = trips.compactMap(\.trip.end)
            .filter { stop.middle.distance(to: $0).meters <= Double(stop.radiusMeters) }
        #expect(stop.trips == 40 && inside.count >= 36, "seed \(seed)")
    }

    @Test func `a trip that goes on, or whose ends are not known, has no stop`() {
        #expect(Self.stops([BookedTrip(SampleTrip.active(high: 1))]).isEmpty)
        #expect(Self.stops([Self.trip(1, from: nil, to: nil)]).isEmpty)
    }

    @Test func `a stop is called what most reports call it, and knows its last trip`() throws {
        let end = try Self.coordinate(52, 4.5)
        let trips = ["Station", "Office", "Office", nil].enumerated()
            .map { number, words in
                var booked = Self.trip(number, from: nil, to: end)
                booked.destination = words
                return booked
            }
        let stop = try #require(Self.stops(trips).first)
        #expect(stop.words == "Office" && stop.trips == 4 && stop.arrivals == 4)
        #expect(stop.lastTrip == trips[3].id)
    }
}
