import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// The lines of `ledger history`.
@Suite struct TripHistoryTests {
    @Test func `every change stands with what it was and what it became`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.measure(Book.trip(2, 20...50))
        let id = Book.id(1)
        let saved = RoutineSaved(routine: "Commute", details: TripDetails(client: "ACME"))
        let meters: ExactDecimal = 120.5
        let decided: [EventBody] = [
            .detailsEdited(
                DetailsEdited(trip: id, purpose: .set("roof"), fields: ["gate": .text("B")])
            ),
            .detailsEdited(
                DetailsEdited(trip: id, purpose: .set("roof"), tripClass: .set(.moving))
            ),
            .routineSaved(saved),
            .routineApplied(RoutineApplied(trip: id, routine: "Commute")),
            .detailsEdited(DetailsEdited(trip: id, purpose: .cleared, fields: ["gate": .null])),
            .distanceAdjusted(DistanceAdjusted(trip: id, distanceMeters: meters, why: "odometer")),
            .tripVoided(TripVoided(trip: id, why: "no trip")),
            .tripRestored(TripRestored(trip: id)),
            .tripsMerged(TripsMerged(trips: [id, Book.id(2)])),
            .distanceAdjusted(DistanceAdjusted(trip: id, distanceMeters: meters, why: "map")),
            .tripRestored(TripRestored(trip: Book.id(2))),
        ]
        try book.define("gate")
        for (index, body) in decided.enumerated() {
            try book.decide(body, at: 100 + Int64(index))
        }
        let both = "\(id) \(Book.id(2))"
        #expect(
            try book.history(id) == [
                "purpose: – → roof",
                "fields.gate: – → B",
                "class: – → moving",
                "routine: – → Commute",
                "client: – → ACME",
                "purpose: roof → –",
                "fields.gate: B → –",
                "distance_m: 100 → 120.5",
                "status: completed → voided",
                "status: voided → completed",
                "distance_m: 120.5 → 100",
                "distance_m: 100 → 400",
                "merged: – → \(both)",
                "distance_m: 400 → 120.5",
                "merged: \(both) → –",
            ]
        )
        #expect(
            try book.history(Book.id(2)) == [
                "status: completed → merged", "merged: – → \(both)",
                "status: merged → completed", "merged: \(both) → –",
            ]
        )
    }

    @Test func `a line never tells a distance that was not measured when it was decided`() throws {
        var book = Book()
        let id = Book.id(1)
        let whole = Book.trip(1, 0...10)
        var cut = whole
        cut.distance = Distance(millimeters: 40_000)
        cut.excluded = Distance(millimeters: 60_000)
        let exclusion = StretchExcluded(
            trip: id,
            from: EventTime(Book.at(2)),
            to: EventTime(Book.at(8)),
            why: "ferry"
        )
        func adjustment(_ meters: ExactDecimal) -> EventBody {
            .distanceAdjusted(DistanceAdjusted(trip: id, distanceMeters: meters, why: "odometer"))
        }
        func figures(_ book: Book) throws -> [String] {
            try book.history(id).filter { !$0.hasPrefix("excluded") }
        }
        try book.measure(whole)
        try book.decide(adjustment(70), at: 100)
        try book.decide(.tripRestored(TripRestored(trip: id)), at: 110)
        #expect(try figures(book) == ["distance_m: 100 → 70", "distance_m: 70 → 100"])

        try book.decide(.stretchExcluded(exclusion), at: 120)
        try book.measure(cut)
        try book.decide(adjustment(50), at: 130)
        #expect(
            try figures(book) == [
                "distance_m: – → 70", "distance_m: 70 → –", "distance_m: 40 → 50",
            ]
        )

        try book.decide(.tripRestored(TripRestored(trip: id)), at: 140)
        try book.measure(whole)
        #expect(
            try figures(book) == [
                "distance_m: 100 → 70", "distance_m: 70 → 100", "distance_m: – → 50",
                "distance_m: 50 → 100",
            ]
        )
    }

    @Test func `restoring a trip that counted tells no status`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        try book.decide(.tripRestored(TripRestored(trip: Book.id(1))), at: 100)
        #expect(try book.history(Book.id(1)) == [])
    }

    @Test func `a line says who, when, why and how many days after the trip`() throws {
        var book = Book()
        try book.measure(Book.trip(1, 0...10))
        let body = EventBody.tripVoided(TripVoided(trip: Book.id(1), why: "ferry"))
        try book.decide(body, at: 5, by: "Ann")
        try book.decide(body, at: 10 + 1_440 - 2, by: nil)
        try book.decide(body, at: 10 + 1_440 - 1)
        try book.decide(body, at: 10 + 30 * 1_440)
        let lines = try book.amendments(1)
        #expect(lines.map(\.daysAfterTrip) == [0, 0, 1, 30])
        #expect(lines.map(\.actor) == ["Ann", nil, "Eva", "Eva"])
        #expect(lines.allSatisfy { $0.why == "ferry" && $0.kind == .tripVoided })
        #expect(lines[0].occurredAt.timestamp == Book.at(5))
        #expect(lines[0].recordedAt == Book.at(6))
        #expect(lines[0].source == "manual")
    }

    @Test func `a trip that is not there has no history`() throws {
        #expect(try Book().history(Book.id(1)) == [])
    }
}
