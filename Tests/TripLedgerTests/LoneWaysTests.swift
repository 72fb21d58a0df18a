import Geodesy
import Projections
import ProjectorTestSupport
import Testing
import TripEvents

@testable import TripLedger

@Suite struct LoneWaysTests {
    private enum Spot: Double {
        case home = 52
        case work = 52.2
        case shop = 52.1
    }

    /// A measured way from one spot to another on a day of March 2024.
    private static func way(
        _ number: UInt64,
        _ day: Int,
        _ start: Spot,
        _ end: Spot,
        _ tripClass: TripClass = .commute
    ) throws -> (BookedTrip, CivilDate) {
        var trip = SampleTrip.active(high: number, startedAt: 0)
        trip.start = Coordinate(latitude: start.rawValue, longitude: 4)
        trip.end = Coordinate(latitude: end.rawValue, longitude: 4)
        var booked = BookedTrip(trip)
        booked.status = .completed
        booked.details.tripClass = tripClass
        booked.details.vehicle = "car"
        return (booked, try #require(CivilDate(year: 2024, month: 3, day: day)))
    }

    private static func staying(_ ways: [(BookedTrip, CivilDate)]) -> Set<UInt64> {
        var found = LoneWays()
        for (booked, day) in ways { found.take(booked, on: day) }
        return Set(found.staying.map(\.high))
    }

    @Test func `a car that stays at work until the next day was driven one way a day`() throws {
        let nights = [
            try Self.way(1, 4, .home, .work), try Self.way(2, 5, .work, .home),
            try Self.way(3, 7, .home, .work), try Self.way(4, 8, .work, .home),
        ]
        // What comes after the last one is not known.
        #expect(Self.staying(nights) == [1, 2, 3])
    }

    @Test func `a way whose return was not recorded is not told from one day alone`() throws {
        let days = [
            try Self.way(1, 4, .home, .work), try Self.way(2, 4, .work, .home),
            try Self.way(3, 5, .home, .work), try Self.way(4, 6, .home, .work),
            try Self.way(5, 6, .work, .home),
        ]
        #expect(!Self.staying(days).contains(3))
        let missingOut = [
            try Self.way(1, 4, .home, .work), try Self.way(2, 4, .work, .home),
            try Self.way(3, 5, .work, .home), try Self.way(4, 6, .home, .work),
        ]
        #expect(!Self.staying(missingOut).contains(3))
    }

    @Test func `a way back by way of the shop leaves nothing missing`() throws {
        let days = [
            try Self.way(1, 4, .home, .work), try Self.way(2, 4, .work, .shop, .personal),
            try Self.way(3, 4, .shop, .home, .personal), try Self.way(4, 5, .home, .work),
        ]
        #expect(Self.staying(days) == [1])
    }
}
