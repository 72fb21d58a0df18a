import Projections
import Testing
import TripEvents
import TripTracking

/// The details of a trip, by edits and routines.
@Suite struct TripDetailsTests {
    private static let office = TripDetails(
        title: "Office",
        client: "ACME",
        tripClass: .business,
        fields: ["gate": .text("B")]
    )

    /// An act at a minute.
    private enum Act {
        case edit((inout DetailsEdited) -> Void)
        case save(TripDetails)
        case remove
        case apply
        case define(String)
    }

    private func details(_ acts: [(Int64, Act)]) throws -> BookedTrip {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        for (minute, act) in acts {
            switch act {
            case .edit(let change):
                var edit = DetailsEdited(trip: Book.id(1))
                change(&edit)
                try book.decide(.detailsEdited(edit), at: minute)
            case .save(let details):
                let saving = RoutineSaved(routine: "Commute", details: details)
                try book.decide(.routineSaved(saving), at: minute)
            case .remove:
                try book.decide(.routineRemoved(RoutineRemoved(routine: "Commute")), at: minute)
            case .apply:
                let application = RoutineApplied(trip: Book.id(1), routine: "Commute")
                try book.decide(.routineApplied(application), at: minute)
            case .define(let key): try book.define(key)
            }
        }
        return try #require(book.trip(1))
    }

    @Test func `a trip says what its recorder said until somebody says more`() throws {
        let booked = try details([])
        #expect(booked.details == TripDetails(vehicle: "van"))
        #expect(booked.tripClass == .unclassified)
        #expect(!booked.hasDetails)
        #expect(booked.flags == [])
        #expect(booked.detailsRecorded == nil)
    }

    @Test func `the last edit of each field wins, whatever order they arrive in`() throws {
        let booked = try details([
            (30, .edit { $0.purpose = .set("third") }),
            (
                20,
                .edit {
                    $0.purpose = .set("second")
                    $0.title = .set("kept")
                }
            ),
            (25, .edit { $0.client = .cleared }),
            (15, .edit { $0.client = .set("ACME") }),
        ])
        #expect(booked.details.purpose == "third")
        #expect(booked.details.title == "kept")
        #expect(booked.details.client == nil)
        #expect(booked.flags == .edited)
        #expect(booked.detailsRecorded?.firstAt == Book.at(16))
        #expect(booked.detailsRecorded?.lastAt == Book.at(31))
    }

    @Test func `a cleared vehicle is no vehicle, and a cleared class is unclassified`() throws {
        let booked = try details([
            (20, .edit { $0.tripClass = .set(.business) }),
            (
                30,
                .edit {
                    $0.tripClass = .cleared
                    $0.vehicle = .cleared
                }
            ),
        ])
        #expect(booked.details.vehicle == nil)
        #expect(booked.tripClass == .unclassified)
    }

    @Test func `custom fields are set and cleared one by one`() throws {
        let booked = try details([
            (0, .define("gate")), (0, .define("wet")),
            (20, .edit { $0.fields = ["gate": .text("A"), "wet": .boolean(true)] }),
            (30, .edit { $0.fields = ["gate": .null] }),
        ])
        #expect(booked.details.fields == ["wet": .boolean(true)])
    }

    @Test func `a routine gives what it said when it was applied`() throws {
        let other = TripDetails(title: "Other")
        let booked = try details([
            (20, .apply), (10, .save(Self.office)), (25, .save(other)), (30, .remove),
        ])
        #expect(booked.routine == "Commute")
        #expect(booked.details.title == "Office")
        #expect(booked.details.client == "ACME")
        #expect(booked.details.vehicle == "van")
        #expect(booked.tripClass == .business)
        #expect(booked.details.fields == ["gate": .text("B")])
        #expect(booked.flags == [])
    }

    @Test func `edits after applying win, and applying again wins over them`() throws {
        let edited: [(Int64, Act)] = [
            (10, .save(Self.office)), (20, .apply),
            (
                30,
                .edit {
                    $0.title = .set("Mine")
                    $0.notes = .set("Rain")
                }
            ),
        ]
        #expect(try details(edited).details.title == "Mine")
        let again = try details(edited + [(40, .apply)])
        #expect(again.details.title == "Office")
        #expect(again.details.notes == "Rain")
        #expect(try details(edited + [(25, .apply)]).details.title == "Mine")
    }

    @Test(arguments: [nil, 10, 15] as [Int64?])
    func `a routine that was not there gives nothing but its name`(removedAt: Int64?) throws {
        var acts: [(Int64, Act)] = [(20, .apply), (30, .save(Self.office))]
        if let removedAt {
            acts += [(5, .save(Self.office)), (removedAt, .remove)]
        }
        let booked = try details(acts)
        #expect(booked.details == TripDetails(vehicle: "van"))
        #expect(booked.routine == "Commute")
    }

    @Test func `routines come, change and go`() throws {
        var book = Book()
        let saving = RoutineSaved(routine: "Commute", details: Self.office)
        try book.decide(.routineSaved(saving), at: 10)
        #expect(book.routines["Commute"] == Routine(name: "Commute", details: Self.office))
        try book.decide(.routineRemoved(RoutineRemoved(routine: "Commute")), at: 5)
        #expect(book.routines["Commute"]?.details == Self.office)
        try book.decide(.routineRemoved(RoutineRemoved(routine: "Commute")), at: 15)
        #expect(book.routines["Commute"] == nil)
    }

    /// Returns the trip of minutes 5 to 10 that GO with a routine opens, or that it names while
    /// another trip is going on.
    private func pressed(
        _ acts: [(Int64, EventBody)],
        opens: Bool = true
    ) throws -> BookedTrip {
        var book = Book()
        let routine = GoPressed(routine: "Commute")
        let opened = try book.decide(.goPressed(routine), at: 5)
        var trip = Book.trip(1, 5...10)
        if opens {
            trip = Trip(
                id: opened,
                source: trip.source,
                vehicle: "van",
                rules: trip.rules,
                startedBy: .press,
                startedAt: trip.startedAt,
                recorded: trip.recorded
            )
        }
        try book.measure(trip)
        for (minute, body) in acts { try book.decide(body, at: minute) }
        return try #require(book.trips[trip.id])
    }

    @Test(arguments: [true, false])
    func `GO with a routine applies it to the trip that it opens or that is going on`(
        opens: Bool
    ) throws {
        let saving = EventBody.routineSaved(
            RoutineSaved(routine: "Commute", details: Self.office)
        )
        let booked = try pressed([(1, saving)], opens: opens)
        #expect(booked.routine == "Commute")
        #expect(booked.details.client == "ACME")
        #expect(booked.tripClass == .business)
        #expect(booked.detailsRecorded?.firstAt == Book.at(6))
        #expect(booked.flags == [])
    }

    @Test func `GO with a routine that is not there says nothing`() throws {
        let saving = EventBody.routineSaved(
            RoutineSaved(routine: "Commute", details: Self.office)
        )
        let early = try pressed([(5, saving)])
        #expect(early.routine == nil)
        #expect(early.details == TripDetails(vehicle: "van"))
        let removed = try pressed([
            (1, saving), (2, .routineRemoved(RoutineRemoved(routine: "Commute"))),
        ])
        #expect(removed.routine == nil)
    }

    @Test func `an edit after GO wins over its routine`() throws {
        let saving = EventBody.routineSaved(
            RoutineSaved(routine: "Commute", details: Self.office)
        )
        var book = Book()
        try book.decide(saving, at: 1)
        try book.decide(.goPressed(GoPressed(routine: "Commute")), at: 5)
        try book.measure(Book.trip(1, 5...10))
        var edit = DetailsEdited(trip: Book.id(1))
        edit.client = .set("Globex")
        try book.decide(.detailsEdited(edit), at: 5)
        let booked = try #require(book.trip(1))
        #expect(booked.details.client == "Globex")
        #expect(booked.details.title == "Office")
        #expect(
            try book.history(Book.id(1)).contains("client: ACME → Globex")
        )
    }
}
