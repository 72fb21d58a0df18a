import DriveSimulation
import Geodesy
import Projections
import ProjectorTestSupport
import RoutinesProjection
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct RoutineCatalogueTests {
    private static let home = Coordinate(latitude: 51.927, longitude: 4.362)
    private static let office = Coordinate(latitude: 51.942, longitude: 4.485)

    /// A trip on a day of March 2026.
    private func trip(
        _ number: UInt64,
        _ day: Int,
        _ clock: String,
        from start: Coordinate? = home,
        to end: Coordinate? = office,
        routine: String? = nil,
        status: BookedStatus = .completed
    ) throws -> BookedTrip {
        let text = "2026-03-\(day < 10 ? "0" : "")\(day)T\(clock):00+01:00"
        let startedAt = try #require(RFC3339.time(text))
        var trip = Trip(
            id: TripID(high: number, low: 0),
            source: "phone",
            rules: RulesName(version: .v1),
            startedBy: .press,
            startedAt: startedAt,
            recorded: Trip.Recorded(firstAt: startedAt.timestamp, lastAt: startedAt.timestamp)
        )
        trip.start = start
        trip.end = end
        var booked = BookedTrip(trip)
        booked.status = status
        booked.routine = routine
        return booked
    }

    private func catalogue(
        _ routines: [String],
        _ trips: [BookedTrip]
    ) throws -> RoutineCatalogue {
        var rows = ViewRows()
        for name in routines {
            let routine = Routine(name: name, details: TripDetails(title: name))
            let change = RoutineChange(name: name, old: nil, new: routine)
            try RoutinesProjector().evolve(.routine(change), in: &rows)
        }
        for trip in trips {
            let change = BookChange.trip(TripChange(old: nil, new: trip))
            try RoutinesProjector().evolve(change, in: &rows)
        }
        return RoutineCatalogue(try rows.inOrder.added.map { try RoutineRow(decoding: $0.value) })
    }

    private func names(_ suggestions: [RoutineSuggestion]) -> [String] {
        suggestions.map(\.summary.routine.name)
    }

    @Test func `the same places go first, then the time of day, then the last use`() throws {
        // 0.002° of latitude are 222 m, 0.0025° are 278 m.
        let near = Coordinate(latitude: 51.929, longitude: 4.362)
        let far = Coordinate(latitude: 51.929_5, longitude: 4.362)
        let catalogue = try catalogue(
            ["At noon", "Far", "Latest", "Near", "Never", "Older", "Return"],
            [
                try trip(1, 2, "08:00", from: near, routine: "Near"),
                try trip(2, 3, "08:20", from: far, routine: "Far"),
                try trip(3, 4, "12:00", routine: "At noon"),
                try trip(4, 5, "08:10", routine: "Older"),
                try trip(5, 6, "08:05", routine: "Latest"),
                try trip(6, 7, "08:02", from: Self.office, to: Self.home, routine: "Return"),
            ]
        )
        let suggestions = catalogue.suggestions(for: try trip(9, 20, "08:02"))
        #expect(
            names(suggestions)
                == ["Latest", "Older", "Near", "At noon", "Return", "Far", "Never"]
        )
        #expect(
            suggestions.map(\.hasSamePlaces) == [true, true, true, true, false, false, false]
        )
        #expect(suggestions.map(\.minutesApart) == [3, 8, 2, 238, 0, 18, nil])
    }

    @Test func `times of day meet at midnight`() throws {
        let catalogue = try catalogue(
            ["Early", "Late"],
            [
                try trip(1, 3, "01:10", routine: "Early"),
                try trip(2, 2, "23:50", routine: "Late"),
            ]
        )
        let suggestions = catalogue.suggestions(for: try trip(9, 20, "00:05"))
        #expect(names(suggestions) == ["Late", "Early"])
        #expect(suggestions.map(\.minutesApart) == [15, 65])
    }

    @Test func `a trip about which something was said needs no suggestion`() throws {
        let catalogue = try catalogue(["Commute"], [])
        var said = try trip(9, 20, "08:00")
        #expect(names(catalogue.suggestions(for: said)) == ["Commute"])
        said.details.vehicle = "van"
        #expect(names(catalogue.suggestions(for: said)) == ["Commute"])
        said.details.purpose = "roof"
        #expect(catalogue.suggestions(for: said) == [])
        #expect(catalogue.suggestions(for: try trip(8, 20, "08:00", routine: "Commute")) == [])
    }

    @Test func `while a trip is active its start decides`() throws {
        let catalogue = try catalogue(
            ["Commute", "Return"],
            [
                try trip(1, 2, "08:00", routine: "Commute"),
                try trip(2, 3, "17:00", from: Self.office, to: Self.home, routine: "Return"),
            ]
        )
        let active = try trip(9, 20, "17:00", from: Self.home, to: nil, status: .active)
        #expect(names(catalogue.suggestions(for: active)) == ["Commute", "Return"])
    }

    @Test func `a routine tells how often, when and where it is used`() throws {
        let elsewhere = Coordinate(latitude: 52.5, longitude: 4.9)
        let commute = try catalogue(
            ["Commute"],
            [
                try trip(1, 2, "08:00", routine: "Commute"),
                try trip(2, 3, "08:10", routine: "Commute"),
                try trip(3, 4, "14:00", from: elsewhere, routine: "Commute"),
                try trip(4, 5, "08:00", routine: "Commute", status: .voided),
                try trip(5, 6, "08:00", routine: "Commute", status: .merged),
            ]
        )
        .routines[0]
        #expect(commute.timesUsed == 3)
        #expect(commute.lastUsedAt == RFC3339.time("2026-03-04T14:00:00+01:00"))
        #expect(commute.typicalStart == Self.home)
        #expect(commute.typicalEnd == Self.office)
        #expect(commute.typicalMinuteOfDay == 490)
    }

    @Test func `a removed routine is not suggested but its trips stay`() throws {
        var rows = ViewRows()
        let routine = Routine(name: "Commute", details: TripDetails())
        let projector = RoutinesProjector()
        for change in [
            RoutineChange(name: "Commute", old: nil, new: routine),
            RoutineChange(name: "Commute", old: routine, new: nil),
            RoutineChange(name: "Commute", old: nil, new: routine),
        ] {
            try projector.evolve(.routine(change), in: &rows)
            let trip = try trip(1, 2, "08:00", routine: "Commute")
            try projector.evolve(.trip(TripChange(old: trip, new: trip)), in: &rows)
            let read = try rows.inOrder.added.map { try RoutineRow(decoding: $0.value) }
            let routines = RoutineCatalogue(read).routines
            #expect(routines.map(\.timesUsed) == (change.new == nil ? [] : [1]))
        }
    }
}

@Suite struct RoutinesProjectorTests {
    @Test(arguments: Seeds.fresh(40))
    func `any way to the same trips and decisions gives the same rows`(seed: UInt64) throws {
        try BookLaws.check(RoutinesProjector(), seed: seed)
    }

    @Test(arguments: Seeds.fresh(4))
    func `the laws hold for drives with every fault`(seed: UInt64) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed)
        try ProjectorLaws.check(RoutinesProjector(), events: events, seed: seed)
    }
}
