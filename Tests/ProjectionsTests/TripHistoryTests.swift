import Projections
import Testing
import TripEvents

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
