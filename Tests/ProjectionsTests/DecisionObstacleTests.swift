import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// Decisions that cannot stand have no effect, and are listed with the reason for as long.
@Suite struct DecisionObstacleTests {
    /// A book with trips at 0…10, 20…50 and 60…70 minutes, all of the van.
    private func book(_ vehicles: [UInt64: String?] = [:]) throws -> Book {
        var book = Book()
        let minutes: [UInt64: ClosedRange<Int64>] = [1: 0...10, 2: 20...50, 3: 60...70]
        for number in [1, 2, 3] as [UInt64] {
            var trip = Book.trip(number, minutes[number] ?? 0...1)
            if let vehicle = vehicles[number] { trip.vehicle = vehicle }
            try book.measure(trip)
        }
        return book
    }

    private func merge(_ numbers: UInt64...) -> EventBody {
        .tripsMerged(TripsMerged(trips: numbers.map(Book.id)))
    }

    private func vehicle(_ number: UInt64, _ vehicle: DetailChange<String>) -> EventBody {
        .detailsEdited(DetailsEdited(trip: Book.id(number), vehicle: vehicle))
    }

    private func restore(_ number: UInt64) -> EventBody {
        .tripRestored(TripRestored(trip: Book.id(number)))
    }

    /// Returns the list: the number of each trip, and the reason.
    private func listed(_ book: Book) throws -> [String] {
        try book.withoutEffect.map { "\($0.trip?.high ?? 0) \($0.obstacle.name)" }
    }

    @Test func `a merge with a voided trip merges none of its trips`() throws {
        var book = try book()
        try book.decide(.tripVoided(TripVoided(trip: Book.id(3), why: "no trip")), at: 90)
        let before = book.trips
        try book.decide(merge(1, 2, 3), at: 100)
        #expect(book.trips == before)
        #expect(try listed(book) == ["3 voided"])
        try book.decide(restore(3), at: 110)
        #expect(book.trip(1)?.parts == [])
        #expect(try listed(book) == [])
        try book.decide(merge(1, 2, 3), at: 120)
        #expect(book.trip(1)?.parts.count == 3)
        #expect(try listed(book) == [])
    }

    @Test(arguments: [90, 110])
    func `a merge of trips of two vehicles has no effect while they differ`(
        minute: Int64
    ) throws {
        var book = try book([2: "golf"])
        let before = book.trips
        try book.decide(merge(1, 2), at: 100)
        #expect(book.trips == before)
        #expect(try listed(book) == ["2 other_vehicle"])
        // Said of the time before the merge, or after it.
        try book.decide(vehicle(2, .set("van")), at: minute)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(book.trip(1)?.details.vehicle == "van")
        #expect(try listed(book) == [])
    }

    @Test func `a later decision that names the first trip is about the whole`() throws {
        var book = try book()
        try book.decide(merge(1, 2), at: 100)
        try book.decide(vehicle(1, .set("golf")), at: 120)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(book.trip(1)?.details.vehicle == "golf")
        #expect(try listed(book) == [])
        try book.decide(.tripVoided(TripVoided(trip: Book.id(1), why: "no trip")), at: 130)
        #expect(book.trips.values.filter(\.counts).map(\.id) == [Book.id(3)])
        #expect(try listed(book) == [])
    }

    @Test(arguments: [[60, 70], [70, 60]] as [[Int64]])
    func `a merge has no effect if the vehicles of its trips were said without it`(
        minutes: [Int64]
    ) throws {
        var book = try book([1: nil, 2: nil])
        try book.decide(vehicle(1, .set("golf")), at: minutes[0])
        try book.decide(vehicle(2, .set("van")), at: minutes[1])
        let before = book.trips
        try book.decide(merge(1, 2), at: 50)
        #expect(book.trips == before)
        #expect(try book.withoutEffect.map(\.trip) == [Book.id(2)])
        #expect(
            try book.withoutEffect.map(\.obstacle)
                == [.isOfOtherVehicle("van", than: Book.id(1), of: "golf")]
        )
        let both = "\(Book.id(1)) \(Book.id(2))"
        #expect(
            try book.history(Book.id(1)).filter { !$0.hasPrefix("vehicle") } == [
                "distance_m: 100 → 400", "merged: – → \(both)", "distance_m: 400 → 100",
            ]
        )
        #expect(
            try book.history(Book.id(2)) == [
                "status: completed → merged", "merged: – → \(both)",
            ]
                + (minutes[1] < minutes[0]
                    ? ["vehicle: – → van", "status: merged → completed"]
                    : ["status: merged → completed", "vehicle: – → van"])
        )
        // Once they agree it has its effect, from then on.
        try book.decide(vehicle(2, .set("golf")), at: 80)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(book.trip(1)?.details.vehicle == "golf")
        #expect(try listed(book) == [])
        // A statement about a part by its own name still holds the merge to it.
        try book.decide(vehicle(1, .set("van")), at: 90)
        #expect(book.trip(1)?.details.vehicle == "van")
        #expect(book.trip(2)?.details.vehicle == "golf")
        #expect(try listed(book) == ["2 other_vehicle"])
    }

    @Test func `a merge has no effect if one of its trips was voided without it`() throws {
        var book = try book()
        try book.decide(.tripVoided(TripVoided(trip: Book.id(2), why: "no trip")), at: 90)
        let before = book.trips
        try book.decide(merge(1, 2), at: 80)
        #expect(book.trips == before)
        #expect(try listed(book) == ["2 voided"])
        let both = "\(Book.id(1)) \(Book.id(2))"
        #expect(
            try book.history(Book.id(1)) == [
                "distance_m: 100 → 400", "merged: – → \(both)", "distance_m: 400 → 100",
            ]
        )
        #expect(
            try book.history(Book.id(2)) == [
                "status: completed → merged", "merged: – → \(both)", "status: merged → voided",
            ]
        )
        try book.decide(restore(2), at: 100)
        #expect(book.trip(2)?.status == .completed)
        #expect(try listed(book) == [])
    }

    @Test func `what was decided of each part while a merge had no effect stays with it`() throws {
        var book = try book([1: nil, 2: nil])
        try book.decide(merge(1, 2), at: 50)
        try book.decide(vehicle(1, .set("golf")), at: 60)
        try book.decide(vehicle(2, .set("van")), at: 70)
        let adjusted = DistanceAdjusted(trip: Book.id(2), distanceMeters: 250, why: "odometer")
        try book.decide(.distanceAdjusted(adjusted), at: 75)
        try book.decide(vehicle(2, .set("golf")), at: 80)
        #expect(book.trip(1)?.claimedDistance == Distance(millimeters: 350_000))
        #expect(try listed(book) == [])
    }

    @Test func `what else is decided of a part holds for the whole`() throws {
        var book = try book()
        try book.decide(merge(1, 2), at: 100)
        let adjusted = DistanceAdjusted(trip: Book.id(2), distanceMeters: 250, why: "odometer")
        try book.decide(.distanceAdjusted(adjusted), at: 110)
        #expect(book.trip(1)?.claimedDistance == Distance(millimeters: 250_000))
        for (minute, said) in [(130, TripClass.business), (120, .personal)] {
            let edit = DetailsEdited(trip: Book.id(2), tripClass: .set(said))
            try book.decide(.detailsEdited(edit), at: Int64(minute))
        }
        #expect(book.trip(1)?.tripClass == .business)
        try book.decide(vehicle(2, .cleared), at: 140)
        #expect(book.trip(1)?.details.vehicle == nil)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(try listed(book) == [])
    }

    @Test func `merges that share a trip are each judged by their own trips`() throws {
        var book = try book([1: nil, 2: nil, 3: nil])
        try book.decide(merge(1, 2), at: 100)
        try book.decide(merge(2, 3), at: 101)
        try book.decide(vehicle(1, .set("golf")), at: 110)
        try book.decide(vehicle(3, .set("van")), at: 111)
        #expect(book.trip(1)?.shownTrips == [1, 2, 3].map(Book.id))
        #expect(book.trip(1)?.details.vehicle == "van")
        #expect(try listed(book) == [])
        // Once the trip that both name has a vehicle, one of them has no effect.
        try book.decide(vehicle(2, .set("golf")), at: 112)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(book.trip(1)?.details.vehicle == "golf")
        #expect(book.trip(3)?.details.vehicle == "van")
        #expect(try listed(book) == ["3 other_vehicle"])
    }

    @Test func `a trip without a vehicle stands between none of two`() throws {
        var book = try book([2: nil, 3: "golf"])
        try book.decide(merge(1, 2, 3), at: 100)
        #expect(book.trip(1)?.parts == [])
        #expect(try listed(book) == ["3 other_vehicle"])
        try book.decide(merge(2, 3), at: 110)
        #expect(book.trip(2)?.shownTrips == [2, 3].map(Book.id))
        #expect(try listed(book) == ["2 other_vehicle"])
        try book.decide(vehicle(3, .cleared), at: 120)
        #expect(book.trip(1)?.shownTrips == [1, 2, 3].map(Book.id))
        #expect(try listed(book) == [])
    }

    @Test func `a merge that waits comes to its effect when another one has`() throws {
        var book = try book([2: nil, 3: "golf"])
        try book.decide(merge(1, 3), at: 100)
        try book.decide(merge(1, 2), at: 110)
        #expect(book.trip(1)?.shownTrips == [1, 2].map(Book.id))
        #expect(try listed(book) == ["3 other_vehicle"])
        try book.decide(vehicle(1, .set("golf")), at: 120)
        #expect(book.trip(1)?.shownTrips == [1, 2, 3].map(Book.id))
        #expect(
            try book.history(Book.id(3)) == [
                "merged: – → \(Book.id(1)) \(Book.id(3))", "status: completed → merged",
            ]
        )
    }

    @Test func `the vehicle of a report, a routine or an edit keeps trips apart`() throws {
        var book = try book([1: nil, 2: nil, 3: nil])
        try book.decide(
            .routineSaved(RoutineSaved(routine: "Van", details: TripDetails(vehicle: "van"))),
            at: 80
        )
        try book.decide(
            .routineApplied(RoutineApplied(trip: Book.id(1), routine: "Van")),
            at: 90
        )
        try book.decide(vehicle(2, .set("golf")), at: 90)
        try book.decide(merge(1, 2), at: 100)
        #expect(try listed(book) == ["2 other_vehicle"])
        let report = TripReported(
            startedAt: EventTime(Book.at(80)),
            endedAt: EventTime(Book.at(95)),
            distanceMeters: 5_000,
            details: TripDetails(vehicle: "bike")
        )
        let reported = try book.decide(.tripReported(report), at: 130)
        try book.decide(.tripsMerged(TripsMerged(trips: [Book.id(2), reported])), at: 120)
        #expect(book.trips[reported]?.status == .completed)
        #expect(try listed(book).count == 2)
    }

    @Test func `trips that were under way at the same time are not merged`() throws {
        var book = try book()
        var other = Book.trip(4, 40...55)
        other.source = "logger"
        try book.measure(other)
        let before = book.trips
        try book.decide(merge(2, 4), at: 100)
        #expect(book.trips == before)
        #expect(try listed(book) == ["4 overlap"])
        other.startedAt = EventTime(Book.at(50))
        try book.measure(other)
        #expect(book.trip(2)?.shownTrips == [2, 4].map(Book.id))
        #expect(try listed(book) == [])
    }

    @Test func `a split that makes no trip and an exclusion of nothing leave no mark`() throws {
        var book = try book()
        let before = book.trips
        let split = TripSplit(trip: Book.id(2), splitAt: EventTime(Book.at(500)))
        try book.decide(.tripSplit(split), at: 600)
        let excluded = StretchExcluded(
            trip: Book.id(1),
            from: EventTime(Book.at(300)),
            to: EventTime(Book.at(310)),
            why: "ferry"
        )
        try book.decide(.stretchExcluded(excluded), at: 610)
        #expect(book.trips == before)
        #expect(try listed(book) == ["1 nothing_measured", "2 outside_trip"])
        try book.decide(restore(1), at: 620)
        try book.decide(restore(2), at: 620)
        #expect(try listed(book) == [])
    }

    @Test func `an edit waits as a whole for its custom field`() throws {
        var book = try book()
        let before = book.trips
        let edit = DetailsEdited(
            trip: Book.id(1),
            tripClass: .set(.business),
            fields: ["gate": .text("B"), "seat": .text("1")]
        )
        try book.decide(.detailsEdited(edit), at: 100)
        #expect(book.trips == before)
        let said = ["class: – → business", "fields.gate: – → B", "fields.seat: – → 1"]
        #expect(try book.history(Book.id(1)) == said)
        #expect(try marked(book, 1) == ["class", "fields.gate", "fields.seat"].map(without))
        #expect(try listed(book) == ["1 unknown_field"])
        try book.define("gate")
        #expect(book.trips == before)
        #expect(try book.withoutEffect.map(\.obstacle) == [.lacksField("seat")])
        try book.define("seat")
        #expect(book.trip(1)?.tripClass == .business)
        #expect(book.trip(1)?.details.fields == edit.fields)
        #expect(try listed(book) == [])
        #expect(try book.history(Book.id(1)) == said)
        #expect(try marked(book, 1) == ["class", "fields.gate", "fields.seat"])
        // One that would clear a field that is not defined changes nothing in any case.
        let clearing = DetailsEdited(trip: Book.id(2), fields: ["row": .null])
        try book.decide(.detailsEdited(clearing), at: 110)
        #expect(try book.history(Book.id(2)) == ["fields.row: – → –"])
        #expect(try marked(book, 2) == [without("fields.row")])
    }

    /// Marks a field as one of an edit that waits for its custom field.
    private func without(_ field: String) -> String { "\(field) unknown_field" }

    /// Returns the field of each line of a history, with the reason where it has no effect.
    private func marked(_ book: Book, _ number: UInt64) throws -> [String] {
        try book.amendments(number)
            .map { line in
                line.change.field + (line.withoutEffect.map { " \($0.name)" } ?? "")
            }
    }

    @Test func `a history marks what has no effect, and restoring takes none of it back`() throws {
        var book = try book([2: "golf"])
        try book.decide(merge(1, 2), at: 100)
        let split = TripSplit(trip: Book.id(1), splitAt: EventTime(Book.at(500)))
        try book.decide(.tripSplit(split), at: 110)
        let ties = ["merged other_vehicle", "split_at outside_trip"]
        #expect(try marked(book, 1) == ties)
        #expect(try marked(book, 2) == ["merged other_vehicle"])
        try book.decide(restore(1), at: 120)
        #expect(try listed(book) == [])
        // Nothing was taken back, so that the lines still say why.
        #expect(try marked(book, 1) == ties)
        #expect(try marked(book, 2) == ["merged other_vehicle"])
        // What had its effect is taken back.
        try book.decide(merge(1, 3), at: 130)
        try book.decide(restore(3), at: 140)
        let merged = ["distance_m", "merged"]
        #expect(try marked(book, 1) == ties + merged + merged)
        #expect(try book.history(Book.id(1)).last == "merged: \(Book.id(1)) \(Book.id(3)) → –")
    }

    @Test func `a merge is marked for a missing trip if no two of its trips are there`() throws {
        var book = try book()
        try book.decide(merge(1, 9), at: 100)
        #expect(try marked(book, 1) == ["merged missing_trip"])
        try book.decide(restore(1), at: 110)
        #expect(try marked(book, 1) == ["merged missing_trip"])
        try book.decide(merge(2, 3, 9), at: 120)
        #expect(book.trip(2)?.shownTrips == [2, 3].map(Book.id))
        #expect(try marked(book, 3) == ["status", "merged"])
        #expect(try listed(book) == ["9 missing_trip", "9 missing_trip"])
    }

    @Test func `a merge is marked while it has lost its effect`() throws {
        var book = try book([1: nil, 2: nil])
        try book.decide(merge(1, 2), at: 50)
        #expect(try marked(book, 2) == ["status", "merged"])
        try book.decide(vehicle(1, .set("golf")), at: 60)
        try book.decide(vehicle(2, .set("van")), at: 70)
        let lines = ["status other_vehicle", "merged other_vehicle"]
        #expect(try marked(book, 2).prefix(2) == lines[...])
        try book.decide(vehicle(2, .set("golf")), at: 80)
        #expect(try marked(book, 2).prefix(2) == ["status", "merged"])
    }

    @Test func `what a decision waits for is forgotten when its trip goes`() throws {
        var book = try book([2: "golf"])
        try book.decide(merge(1, 2), at: 100)
        let edit = DetailsEdited(trip: Book.id(3), fields: ["gate": .text("B")])
        try book.decide(.detailsEdited(edit), at: 100)
        #expect(try listed(book) == ["2 other_vehicle", "3 unknown_field"])
        try book.withdraw(2)
        try book.withdraw(3)
        #expect(try listed(book) == ["2 missing_trip", "3 missing_trip"])
        #expect(try book.orphans.count == 2)
    }
}
