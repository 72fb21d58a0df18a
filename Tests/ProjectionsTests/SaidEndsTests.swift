import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// What people call the ends of trips, and what follows from that.
///
/// The laws of the book hold with them, too: the scripts of `BookLaws` edit and report such ends.
@Suite struct SaidEndsTests {
    private static func edit(
        _ trip: TripID,
        from origin: DetailChange<String> = .unchanged,
        to destination: DetailChange<String> = .unchanged
    ) -> EventBody {
        .detailsEdited(DetailsEdited(trip: trip, origin: origin, destination: destination))
    }

    private static func report(
        _ minutes: ClosedRange<Int64>,
        from origin: String?,
        to destination: String?
    ) -> TripReported {
        TripReported(
            startedAt: EventTime(Book.at(minutes.lowerBound)),
            endedAt: EventTime(Book.at(minutes.upperBound)),
            origin: origin,
            destination: destination,
            distanceMeters: 5_000
        )
    }

    private static func place(_ name: String, label: String? = nil) -> EventBody {
        var place = PlaceSaved(place: name, latitude: 51, longitude: 4, radiusMeters: 100)
        place.label = label
        return .placeSaved(place)
    }

    private func ends(_ book: Book, _ trip: TripID) -> [String?] {
        [book.trips[trip]?.origin, book.trips[trip]?.destination]
    }

    @Test func `the last word about each end wins, over that of the report`() throws {
        var book = Book()
        let id = try book.decide(.tripReported(Self.report(0...10, from: "A", to: "B")), at: 20)
        #expect(ends(book, id) == ["A", "B"])
        try book.decide(Self.edit(id, from: .set("Home")), at: 30)
        #expect(ends(book, id) == ["Home", "B"])
        #expect(book.trips[id]?.flags == .edited)
        try book.decide(Self.edit(id, from: .set("too late"), to: .cleared), at: 25)
        #expect(ends(book, id) == ["Home", nil])
        #expect(
            try book.history(id).suffix(3) == [
                "from: A → too late", "to: B → –",
                "from: too late → Home",
            ]
        )
    }

    @Test func `a measured trip may be told where it went, and keeps its position`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.decide(Self.edit(Book.id(1), to: .set("Main Street 5")), at: 20)
        let booked = try #require(book.trip(1))
        #expect(booked.destination == "Main Street 5" && booked.origin == nil)
        #expect(booked.trip.end == Coordinate(latitude: 52, longitude: 4))
        #expect(booked.flags == [])
        #expect(try book.history(Book.id(1)) == ["to: – → Main Street 5"])
    }

    @Test func `trips that are merged start where the first did, and end where the last did`()
        throws
    {
        var book = Book()
        let first = try book.decide(.tripReported(Self.report(0...10, from: "A", to: "B")), at: 40)
        let last = try book.decide(.tripReported(Self.report(20...30, from: "B", to: "C")), at: 40)
        try book.decide(Self.edit(first, to: .set("between")), at: 50)
        try book.decide(.tripsMerged(TripsMerged(trips: [first, last])), at: 60)
        #expect(ends(book, first) == ["A", "C"])
        #expect(ends(book, last) == ["B", "C"])
        try book.decide(Self.edit(first, to: .set("D")), at: 70)
        #expect(ends(book, first) == ["A", "D"])
        try book.decide(.tripRestored(TripRestored(trip: first)), at: 80)
        #expect(ends(book, first) == ["A", "D"])
        #expect(ends(book, last) == ["B", "C"])
    }

    @Test(arguments: [
        ("Shop", true), ("Long Street 1", true), ("51.0004, 4", true), ("51,4", true),
        ("shop", false), ("Long Street 10", false), ("51.1, 4", false), ("51.0", false),
    ])
    func `a name, an address or a position in words is a saved place`(
        words: String,
        isPlace: Bool
    ) throws {
        var book = Book()
        try book.decide(Self.place("Shop", label: "Long Street 1"), at: 0)
        let id = try book.decide(.tripReported(Self.report(10...20, from: words, to: "?")), at: 30)
        let booked = try #require(book.trips[id])
        #expect(try book.places.start(of: booked)?.name == (isPlace ? "Shop" : nil))
        #expect(try book.places.end(of: booked) == nil)
        try book.decide(Self.edit(id, from: .set("elsewhere"), to: .set(words)), at: 40)
        let edited = try #require(book.trips[id])
        #expect(try book.places.start(of: edited) == nil)
        #expect(try book.places.end(of: edited)?.name == (isPlace ? "Shop" : nil))
    }

    /// Whether the routine, the places and the trip came in this order.
    @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 2, 1]])
    func `a routine applies by itself to a reported trip, whatever came first`(
        order: [Int]
    ) throws {
        var book = Book()
        let pattern = TripPattern(from: "Home", to: "Shop", since: EventTime(Book.at(0)))
        let details = TripDetails(purpose: "Groceries", tripClass: .personal)
        var byWords = Self.report(10...20, from: "Home", to: "Shop")
        var byPosition = Self.report(30...40, from: nil, to: nil)
        (byPosition.latitude, byPosition.longitude) = (50, 4)
        (byPosition.toLatitude, byPosition.toLongitude) = (51, 4)
        byWords.details.notes = "paper"
        var ids: [TripID] = []
        for step in order {
            switch step {
            case 0:
                let saving = RoutineSaved(routine: "Shopping", details: details, pattern: pattern)
                try book.decide(.routineSaved(saving), at: 50)
            case 1:
                let home = PlaceSaved(place: "Home", latitude: 50, longitude: 4, radiusMeters: 100)
                try book.decide(.placeSaved(home), at: 51)
                try book.decide(Self.place("Shop"), at: 51)
            default:
                for report in [byWords, byPosition] {
                    ids.append(try book.decide(.tripReported(report), at: 52))
                }
            }
        }
        #expect(ids.count == 2)
        for id in ids {
            #expect(book.trips[id]?.routine == "Shopping")
            #expect(book.trips[id]?.details.purpose == "Groceries")
        }
        #expect(book.trips[ids[0]]?.details.notes == "paper")
    }
}
