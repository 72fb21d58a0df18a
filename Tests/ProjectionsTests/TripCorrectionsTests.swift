import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// Merging, splitting, voiding, restoring, adjusting and reporting trips.
@Suite struct TripCorrectionsTests {
    /// A book with trips at 0…10, 20…50 and 60…70 minutes: 100, 300 and 100 m.
    private func book() throws -> Book {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.measure(Book.trip(2, 20...50))
        try book.measure(Book.trip(3, 60...70))
        return book
    }

    private func void(_ number: UInt64) -> EventBody {
        .tripVoided(TripVoided(trip: Book.id(number), why: "no trip"))
    }

    private func restore(_ number: UInt64) -> EventBody {
        .tripRestored(TripRestored(trip: Book.id(number)))
    }

    private func merge(_ numbers: UInt64...) -> EventBody {
        .tripsMerged(TripsMerged(trips: numbers.map(Book.id)))
    }

    private func adjust(_ number: UInt64, _ meters: String) throws -> EventBody {
        let distance = try #require(ExactDecimal(literal: meters))
        return .distanceAdjusted(
            DistanceAdjusted(trip: Book.id(number), distanceMeters: distance, why: "odometer")
        )
    }

    private func millimeters(_ book: Book) -> Int64 {
        book.trips.values.filter(\.counts).map(\.claimedDistance.millimeters).reduce(0, +)
    }

    @Test func `voided and restored again and again, the last word counts`() throws {
        var book = try book()
        let words: [(Int64, EventBody, BookedStatus)] = [
            (100, void(2), .voided), (110, restore(2), .completed), (120, void(2), .voided),
            (105, restore(2), .voided), (130, restore(2), .completed),
        ]
        for (minute, body, status) in words {
            try book.decide(body, at: minute)
            #expect(book.trip(2)?.status == status, "at \(minute)")
            #expect(millimeters(book) == (status == .voided ? 200_000 : 500_000))
        }
    }

    @Test func `three merged trips show as the earliest, the way between them as gaps`() throws {
        var book = try book()
        try book.decide(merge(3, 1, 2), at: 100)
        let merged = try #require(book.trip(1))
        #expect(merged.shownTrips == [1, 2, 3].map(Book.id))
        #expect(merged.trip.distance == Distance(millimeters: 500_000))
        #expect(merged.trip.gaps == GapTotal(count: 2, milliseconds: 20 * 60_000, distance: .zero))
        #expect(merged.trip.endedAt?.timestamp == Book.at(70))
        #expect(merged.flags == .merged)
        #expect(merged.isMeasured)
        for part in [2, 3] as [UInt64] {
            #expect(book.trip(part)?.status == .merged)
            #expect(book.trip(part)?.mergedInto == Book.id(1))
        }
        #expect(millimeters(book) == 500_000)
    }

    @Test func `the straight line between two parts stands in their gap`() throws {
        var book = Book()
        var second = Book.trip(2, 20...50)
        second.start = Coordinate(latitude: 52.001, longitude: 4)
        try book.measure(second)
        try book.measure(Book.trip(1, 0...10))
        try book.decide(merge(1, 2), at: 100)
        // 0.001° of the meridian at 52°: 111.263 m (WGS-84, M = 6,375,061 m at 52.0005°).
        let gap = try #require(book.trip(1)?.trip.gaps.distance.millimeters)
        #expect(abs(gap - 111_263) < 20)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `restoring any part undoes the whole merge`(part: UInt64) throws {
        var book = try book()
        let before = book.trips
        try book.decide(merge(1, 2, 3), at: 100)
        try book.decide(restore(part), at: 110)
        #expect(book.trips == before)
        try book.decide(merge(1, 2, 3), at: 120)
        #expect(book.trip(3)?.status == .merged)
    }

    @Test func `merges that share a trip make one trip`() throws {
        var book = try book()
        try book.decide(merge(2, 3), at: 110)
        try book.decide(merge(1, 2), at: 100)
        #expect(book.trip(1)?.shownTrips == [1, 2, 3].map(Book.id))
        try book.decide(restore(3), at: 120)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(book.trip(3)?.status == .completed)
    }

    @Test func `voiding the first part after a merge voids the whole`() throws {
        var book = try book()
        try book.decide(merge(1, 2), at: 100)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        try book.decide(void(3), at: 105)
        try book.decide(void(1), at: 110)
        #expect(book.trip(1)?.status == .voided)
        #expect(millimeters(book) == 0)
    }

    @Test func `details of all parts describe the merged trip`() throws {
        var book = try book()
        let edit = DetailsEdited(trip: Book.id(2), purpose: .set("roof"))
        try book.decide(.detailsEdited(edit), at: 80)
        try book.decide(merge(1, 2), at: 100)
        #expect(book.trip(1)?.details.purpose == "roof")
        let title = DetailsEdited(trip: Book.id(2), title: .set("Visit"))
        try book.decide(.detailsEdited(title), at: 120)
        #expect(book.trip(1)?.details.title == "Visit")
    }

    @Test func `an adjusted distance counts and the measured one stays beside it`() throws {
        var book = try book()
        try book.decide(try adjust(2, "1234.5678"), at: 100)
        #expect(book.trip(2)?.adjusted == Distance(millimeters: 1_234_568))
        #expect(book.trip(2)?.trip.distance == Distance(millimeters: 300_000))
        #expect(book.trip(2)?.flags == .adjusted)
        #expect(millimeters(book) == 1_434_568)
        try book.decide(restore(2), at: 110)
        #expect(book.trip(2)?.adjusted == nil)
    }

    @Test func `distances adjusted before a merge are added, one adjusted after it is the sum`()
        throws
    {
        var book = try book()
        try book.decide(try adjust(1, "1000"), at: 90)
        try book.decide(merge(1, 2), at: 100)
        #expect(book.trip(1)?.claimedDistance == Distance(millimeters: 1_300_000))
        try book.decide(try adjust(2, "7"), at: 110)
        #expect(book.trip(1)?.claimedDistance == Distance(millimeters: 7_000))
        #expect(millimeters(book) == 107_000)
    }

    @Test func `an absurd distance is held to ten million kilometres`() throws {
        var book = try book()
        for meters in ["1e300", "999999999999999999", "10000000000.0001"] {
            try book.decide(try adjust(1, meters), at: 100)
            #expect(book.trip(1)?.adjusted == Distance(millimeters: 10_000_000_000_000))
        }
    }

    @Test func `a reported trip has the event's id, is not measured and counts`() throws {
        var book = try book()
        let report = TripReported(
            startedAt: EventTime(Book.at(80)),
            endedAt: EventTime(Book.at(95)),
            origin: "Home",
            destination: "Office",
            distanceMeters: 5_000,
            importedFrom: "app.csv",
            details: TripDetails(purpose: "call", vehicle: "van", tripClass: .business)
        )
        let id = try book.decide(.tripReported(report), at: 200)
        let booked = try #require(book.trips[id])
        #expect(!booked.isMeasured)
        #expect(booked.status == .completed)
        #expect(booked.trip.startedBy == .report)
        #expect(booked.trip.source == "manual")
        #expect(booked.claimedDistance == Distance(millimeters: 5_000_000))
        #expect([booked.origin, booked.destination] == ["Home", "Office"])
        #expect(booked.importedFrom == "app.csv")
        #expect(booked.details == report.details)
        #expect(millimeters(book) == 5_500_000)
        try book.decide(.tripsMerged(TripsMerged(trips: [id, Book.id(3)])), at: 210)
        #expect(book.trip(3)?.isMeasured == false)
        #expect(book.trip(3)?.claimedDistance == Distance(millimeters: 5_100_000))
    }

    @Test func `a split shows on both parts until the trip is restored`() throws {
        var book = try book()
        let split = TripSplit(trip: Book.id(2), splitAt: EventTime(Book.at(30)))
        let id = try book.decide(.tripSplit(split), at: 100)
        var second = Book.trip(9, 30...50)
        second.id = id
        try book.measure(second)
        #expect(book.trip(2)?.flags == .split)
        #expect(book.trips[id]?.flags == .split)
        #expect(try book.standingSplits(2).map(\.order.occurredAt) == [Book.at(100)])
        #expect(try book.standingSplits(1) == [])
        try book.decide(restore(2), at: 110)
        #expect(book.trip(2)?.flags == [])
        #expect(book.trips[id]?.flags == [])
        #expect(try book.standingSplits(2) == [])
        try book.decide(.tripSplit(split), at: 120)
        #expect(try book.standingSplits(2).map(\.order.occurredAt) == [Book.at(120)])
    }

    @Test func `a part shows what was excluded before, which restoring the whole undoes`() throws {
        var book = try book()
        func exclude(_ trip: TripID, at minute: Int64) throws {
            let exclusion = StretchExcluded(
                trip: trip,
                from: EventTime(Book.at(35)),
                to: EventTime(Book.at(40)),
                why: "ferry"
            )
            try book.decide(.stretchExcluded(exclusion), at: minute)
        }
        try exclude(Book.id(2), at: 100)
        let split = TripSplit(trip: Book.id(2), splitAt: EventTime(Book.at(30)))
        let id = try book.decide(.tripSplit(split), at: 110)
        var second = Book.trip(9, 30...50)
        second.id = id
        second.startedBy = .split
        second.excluded = Distance(millimeters: 50_000)
        try book.measure(second)
        #expect(book.trips[id]?.flags == [.split, .excluded])
        #expect(book.trips[id]?.excludedWith == Book.id(2))
        #expect(book.trips[id]?.restorable == [])
        #expect(try book.withoutEffect == [])
        try exclude(id, at: 120)
        #expect(book.trips[id]?.excludedWith == nil)
        #expect(book.trips[id]?.restorable == [.excluded])
    }

    @Test func `a trip between two merged ones joins them, in any order of arrival`() throws {
        for order in [[0, 1], [1, 0]] {
            var book = try book()
            let merges = [merge(1, 3), merge(1, 2)]
            for index in order { try book.decide(merges[index], at: 100 + 10 * Int64(index)) }
            #expect(try book.withoutEffect == [])
            #expect(book.trip(1)?.shownTrips == [1, 2, 3].map(Book.id))
            #expect(book.trip(1)?.trip.gaps.count == 2)
            #expect(millimeters(book) == 500_000)
        }
        // One that was under way with a part of it does not.
        var book = try book()
        try book.measure(Book.trip(4, 65...80))
        try book.decide(merge(1, 3), at: 100)
        try book.decide(merge(1, 4), at: 110)
        #expect(book.trip(1)?.shownTrips == [1, 3].map(Book.id))
    }

    @Test func `a merged part of a split trip is taken apart; only the whole undoes the split`()
        throws
    {
        var book = try book()
        let split = TripSplit(trip: Book.id(2), splitAt: EventTime(Book.at(30)))
        let id = try book.decide(.tripSplit(split), at: 100)
        var second = Book.trip(9, 30...50)
        second.id = id
        second.startedBy = .split
        try book.measure(second)
        #expect(book.trip(2)?.restorable == [.split])
        #expect(book.trips[id]?.splitFrom == Book.id(2))
        #expect(book.trips[id]?.restorable == [])
        try book.decide(.tripsMerged(TripsMerged(trips: [id, Book.id(3)])), at: 110)
        #expect(book.trips[id]?.shownTrips == [id, Book.id(3)])
        #expect(book.trips[id]?.restorable == [.merged])
        try book.decide(.tripRestored(TripRestored(trip: id)), at: 120)
        #expect(book.trips[id]?.shownTrips == [id])
        #expect(book.trips[id]?.restorable == [])
        #expect(book.trip(2)?.restorable == [.split])
        // Before it, a trip that was never split stands for the part, and splits stay.
        try book.decide(.tripsMerged(TripsMerged(trips: [id, Book.id(1)])), at: 130)
        #expect(book.trip(1)?.restorable == [.merged])
        #expect(book.trip(1)?.splitFrom == Book.id(2))
    }

    @Test func `an active part keeps the merged trip active, an abandoned one is counted in`()
        throws
    {
        var book = try book()
        var abandoned = Book.trip(3, 60...70)
        abandoned.status = .abandoned
        try book.measure(abandoned)
        try book.decide(merge(2, 3), at: 100)
        #expect(book.trip(2)?.status == .completed)
        var active = Book.trip(3, 60...70)
        active.status = .active
        active.endedAt = nil
        try book.measure(active)
        #expect(book.trip(2)?.status == .active)
        #expect(millimeters(book) == 100_000)
    }
}
