import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// Routines that apply by themselves.
///
/// The laws of the book hold with them, too: the scripts of `BookLaws` save such routines and their
/// places.
@Suite struct RoutineRuleTests {
    private static let home = Coordinate(latitude: 52, longitude: 4)
    private static let office = Coordinate(latitude: 52.1, longitude: 4)
    private static let way = TripPattern(from: "Home", to: "Office")

    /// Returns a book with two places, saved at minute 0, a Monday.
    private static func book() throws -> Book {
        var book = Book()
        for (name, latitude) in [("Home", 52 as ExactDecimal), ("Office", 52.1)] {
            let place = PlaceSaved(
                place: name,
                latitude: latitude,
                longitude: 4,
                radiusMeters: 100
            )
            try book.decide(.placeSaved(place), at: 0)
        }
        return book
    }

    /// Returns a trip of ten minutes.
    private static func trip(
        _ number: UInt64,
        at minute: Int64,
        from start: Coordinate? = home,
        to end: Coordinate? = office
    ) -> Trip {
        var trip = Book.trip(number, minute...(minute + 10))
        trip.start = start
        trip.end = end
        return trip
    }

    private static func saving(
        _ name: String,
        purpose: String,
        _ pattern: TripPattern = way
    ) -> EventBody {
        let details = TripDetails(purpose: purpose, tripClass: .commute)
        return .routineSaved(RoutineSaved(routine: name, details: details, pattern: pattern))
    }

    @Test func `it applies to trips from here to there from its saving on`() throws {
        var book = try Self.book()
        try book.measure(Self.trip(1, at: 10))
        try book.decide(Self.saving("Work", purpose: "Office day"), at: 30)
        try book.measure(Self.trip(2, at: 40))
        try book.measure(Self.trip(3, at: 60, from: Self.office, to: Self.home))
        try book.measure(Self.trip(4, at: 80, from: nil))
        #expect(book.trip(1)?.routine == nil)
        #expect(book.trip(2)?.routine == "Work")
        #expect(book.trip(2)?.tripClass == .commute)
        #expect(book.trip(2)?.flags == .byRule)
        #expect(book.trip(3)?.routine == nil)
        #expect(book.trip(4)?.routine == nil)
        #expect(try book.history(Book.id(1)).isEmpty)
        #expect(
            try book.history(Book.id(2)) == [
                "routine: – → Work", "purpose: – → Office day", "class: – → commute",
            ]
        )
        let line = try #require(try book.amendments(2).first)
        #expect(line.kind == .routineSaved && line.actor == "Eva")
    }

    @Test func `it applies to earlier trips if it says since when`() throws {
        var book = try Self.book()
        for (number, minute) in [(1, 10), (2, 30)] as [(UInt64, Int64)] {
            try book.measure(Self.trip(number, at: minute))
        }
        var pattern = Self.way
        pattern.since = EventTime(Book.at(20))
        try book.decide(Self.saving("Work", purpose: "Office day", pattern), at: 100)
        #expect(book.trip(1)?.routine == nil)
        #expect(book.trip(2)?.routine == "Work")
        // It was said when the routine was, which is later than the trip.
        #expect(book.trip(2)?.detailsRecorded?.firstAt == Book.at(101))
    }

    @Test func `whatever is said about a trip wins, said before or after`() throws {
        var book = try Self.book()
        try book.measure(Self.trip(1, at: 10))
        var edit = DetailsEdited(trip: Book.id(1))
        edit.purpose = .set("Dentist")
        try book.decide(.detailsEdited(edit), at: 30)
        var pattern = Self.way
        pattern.since = EventTime(Book.at(0))
        try book.decide(Self.saving("Work", purpose: "Office day", pattern), at: 60)
        #expect(book.trip(1)?.details.purpose == "Dentist")
        #expect(book.trip(1)?.tripClass == .commute)
        #expect(book.trip(1)?.flags == [.byRule, .edited])
        try book.decide(Self.saving("Errand", purpose: "Post office", TripPattern()), at: 70)
        let application = RoutineApplied(trip: Book.id(1), routine: "Errand")
        try book.decide(.routineApplied(application), at: 80)
        #expect(book.trip(1)?.routine == "Errand")
        #expect(book.trip(1)?.flags == .edited)
    }

    @Test func `both ways and some days only`() throws {
        var book = try Self.book()
        var pattern = Self.way
        pattern.goesBothWays = true
        pattern.days = [.monday, .wednesday]
        try book.decide(Self.saving("Work", purpose: "Office day", pattern), at: 1)
        let day: Int64 = 1_440
        try book.measure(Self.trip(1, at: 10, from: Self.office, to: Self.home))
        try book.measure(Self.trip(2, at: day + 10))
        try book.measure(Self.trip(3, at: 2 * day + 10))
        #expect(book.trip(1)?.routine == "Work")
        #expect(book.trip(2)?.routine == nil)
        #expect(book.trip(3)?.routine == "Work")
    }

    @Test func `saved again it says so of later trips, and removed of none`() throws {
        var book = try Self.book()
        try book.decide(Self.saving("Work", purpose: "old"), at: 5)
        try book.decide(Self.saving("Work", purpose: "new"), at: 30)
        try book.decide(.routineRemoved(RoutineRemoved(routine: "Work")), at: 60)
        for (number, minute) in [(1, 10), (2, 40), (3, 70)] as [(UInt64, Int64)] {
            try book.measure(Self.trip(number, at: minute))
        }
        #expect([1, 2, 3].map { book.trip($0)?.details.purpose } == ["old", "new", nil])
    }

    @Test func `of several the one that was saved last applies`() throws {
        var book = try Self.book()
        try book.decide(Self.saving("Work", purpose: "Office day"), at: 1)
        try book.decide(Self.saving("Anywhere", purpose: "?", TripPattern(to: "Office")), at: 2)
        try book.measure(Self.trip(1, at: 10))
        try book.measure(Self.trip(2, at: 30, from: Self.office))
        #expect(book.trip(1)?.routine == "Anywhere")
        #expect(book.trip(2)?.routine == "Anywhere")
    }

    @Test func `a place that comes later finds its trips`() throws {
        var book = Book()
        try book.decide(
            Self.saving("Work", purpose: "Office day", TripPattern(to: "Office")),
            at: 1
        )
        try book.measure(Self.trip(1, at: 10))
        #expect(book.trip(1)?.routine == nil)
        let place = PlaceSaved(place: "Office", latitude: 52.1, longitude: 4, radiusMeters: 9)
        try book.decide(.placeSaved(place), at: 100)
        #expect(book.trip(1)?.routine == "Work")
        try book.measure(Self.trip(1, at: 10, to: Self.home))
        #expect(book.trip(1)?.routine == nil)
        #expect(book.trip(1)?.flags == [])
    }

    @Test func `trips that are merged go as they go together`() throws {
        var book = try Self.book()
        let station = Coordinate(latitude: 52.05, longitude: 4)
        try book.decide(Self.saving("Work", purpose: "Office day"), at: 1)
        try book.measure(Self.trip(1, at: 10, to: station))
        try book.measure(Self.trip(2, at: 30, from: station))
        try book.decide(.tripsMerged(TripsMerged(trips: [Book.id(1), Book.id(2)])), at: 90)
        #expect(book.trip(1)?.routine == "Work")
        #expect(book.trip(1)?.flags == [.byRule, .merged])
        #expect(book.trip(2)?.routine == nil)
        #expect(
            try book.history(Book.id(1)).contains("routine: – → Work")
        )
    }
}
