import DriveSimulation
import Geodesy
import LedgerTestSupport
import Projections
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The group of a source decides what people may decide and see.
@Suite struct GroupTests {
    private static let start = Timestamp(milliseconds: 1_741_000_000_000)

    /// A short drive of a source, which begins some hours after the first one.
    private static func drive(of source: String, in group: String?, hours: Int64 = 0) -> [TripEvent]
    {
        DriveSimulator.events(of: .homeToOffice, seed: 1, source: source)
            .map { event in
                var event = event
                event.group = group
                event.occurredAt = event.occurredAt.advanced(byMilliseconds: hours * 3_600_000)
                return event
            }
    }

    private static func now(_ book: TemporaryLedger) -> EventTime { EventTime(book.now) }

    private static func place(
        _ name: String,
        at latitude: ExactDecimal,
        _ occurredAt: Int64,
        in group: String?
    ) -> TripEvent {
        TripEvent(
            source: group.map { "manual/\($0)" } ?? "manual",
            group: group,
            occurredAt: start.advanced(byMilliseconds: occurredAt),
            body: .placeSaved(
                PlaceSaved(place: name, latitude: latitude, longitude: 4, radiusMeters: 100)
            )
        )
    }

    @Test func `an event that says another group than its source's is rejected, with what to do`()
        throws
    {
        let book = try TemporaryLedger()
        var events = Self.drive(of: "box", in: "17")
        try book.append(events)
        events[0].group = "18"
        events[1].group = nil
        let receipts = try book.append([events[0], events[1]])
        guard case .rejected(let rejection) = receipts[0] else {
            Issue.record("\(receipts[0])")
            return
        }
        #expect(rejection.code == .otherGroup)
        #expect(
            rejection.sentence == "The source \"box\" is of the group \"17\", and not of \"18\": a "
                + "source keeps the group of its first event. Leave group out, or give the source "
                + "another name."
        )
        if case .duplicate = receipts[1] {} else { Issue.record("\(receipts[1])") }
        try expectSound(book.ledger)
    }

    @Test func `the owner's source of decisions never becomes a group's`() throws {
        let book = try TemporaryLedger()
        // The owner of a private ledger joins: decisions and presses are from `manual` there.
        try book.append(Self.drive(of: "manual", in: "17"))
        let trip = try #require(try book.ledger.trips().first)
        #expect(trip.trip.source == "manual/17" && trip.trip.group == "17")
        let line =
            #"{"type":"place_saved","source":"manual","occurred_at":1741000000000,"#
            + #""place":"home","lat":52,"lon":4,"radius_m":100}"#
        var options = IntakeOptions()
        options.group = "17"
        let taken = try Intake.collect([line + "\n" + line], into: book, options: options)
        #expect(taken.summary.appended == 1 && taken.summary.duplicate == 1)
        var edit = TripEdit()
        for (group, source) in [("17", "manual"), (nil, nil)] as [(String?, String?)] {
            edit.purpose = .set("Visit of \(group ?? "the owner")")
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let outcome = try book.ledger.decide(
                .edit(.last, edit),
                for: group,
                from: source,
                now: Self.now(book)
            )
            #expect(outcome.event.source == Ledger.decisionSource(of: group))
        }
        var groups: [String: String?] = [:]
        try book.ledger.scanLog(from: 0) { stored in
            let event = stored.event
            if !event.source.isEmpty { groups.updateValue(event.group, forKey: event.source) }
            return true
        }
        #expect(groups == ["manual": nil, "manual/17": "17"])
        try expectSound(book.ledger)
    }

    @Test func `a group decides about its own trips only`() throws {
        let book = try TemporaryLedger()
        try book.append(Self.drive(of: "box", in: "17"))
        let trip = try #require(try book.ledger.trips().first)
        #expect(trip.trip.group == "17")
        var edit = TripEdit()
        edit.purpose = .set("Visit")
        #expect(throws: LedgerError.self) {
            try book.ledger.decide(.edit(.last, edit), for: "18", now: Self.now(book))
        }
        // As a fact it is stored, has no effect, and is listed.
        let said = DetailsEdited(
            trip: trip.trip.id,
            tripStartedAt: trip.trip.startedAt,
            purpose: .set("Visit")
        )
        try book.append([
            TripEvent(
                source: "manual/18",
                group: "18",
                occurredAt: Self.start.advanced(byMilliseconds: 90_000_000),
                body: .detailsEdited(said)
            )
        ])
        #expect(try book.ledger.trips().first?.booked.details.purpose == nil)
        #expect(try book.ledger.decisionsWithoutEffect().map(\.trip) == [trip.trip.id])
        for group in ["17", nil] {
            edit.purpose = .set("Visit of \(group ?? "the owner")")
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let outcome = try book.ledger.decide(
                .edit(.last, edit),
                for: group,
                now: Self.now(book)
            )
            #expect(outcome.event.source == Ledger.decisionSource(of: group))
            #expect(try book.ledger.trips().first?.booked.details.purpose == edit.purpose.value)
        }
        try expectSound(book.ledger)
    }

    @Test func `trips of two groups are never merged, and never overlap`() throws {
        let book = try TemporaryLedger()
        try book.append(Self.drive(of: "box", in: "17") + Self.drive(of: "phone", in: "18"))
        try book.append(Self.drive(of: "box", in: "17", hours: 3))
        let trips = try book.ledger.trips()
        #expect(trips.count == 3)
        let (_, overlaps) = try book.ledger.reading {
            try $0.relateTrips(into: ()) { _, _ in }
        }
        #expect(overlaps.isEmpty)
        let ids = [trips[0], try #require(trips.first { $0.trip.group == "18" })]
            .map { TripReference.prefix($0.trip.id.description) }
        let error = #expect(throws: LedgerError.self) {
            try book.ledger.decide(.merge(ids, why: nil), now: Self.now(book))
        }
        #expect(error?.code == .notMergeable)
        #expect(error?.cause.contains("another group") == true)
        let merge = TripsMerged(trips: trips.map(\.trip.id), why: "one way")
        try book.append([
            TripEvent(
                source: "manual",
                occurredAt: Self.start.advanced(byMilliseconds: 90_000_000),
                body: .tripsMerged(merge)
            )
        ])
        #expect(try book.ledger.trips().count == 3)
        // For a source of a group the trips of others do not exist.
        try book.append([
            TripEvent(
                source: "manual/17",
                group: "17",
                occurredAt: Self.start.advanced(byMilliseconds: 91_000_000),
                body: .tripsMerged(merge)
            )
        ])
        #expect(try book.ledger.trips().compactMap(\.trip.group).sorted() == ["17", "18"])
        try expectSound(book.ledger)
    }

    @Test func `of one name a group's place counts for it, as long as there is one`() throws {
        let book = try TemporaryLedger()
        try book.append([
            Self.place("home", at: 51, 0, in: nil), Self.place("depot", at: 52, 0, in: nil),
            Self.place("home", at: 53, 1_000, in: "17"),
        ])
        let removal = PlaceRemoved(place: "home")
        try book.append([
            TripEvent(
                source: "manual/17",
                group: "17",
                occurredAt: Self.start.advanced(byMilliseconds: 5_000),
                body: .placeRemoved(removal)
            )
        ])
        let places = try book.ledger.places()
        func name(_ latitude: Double, _ after: Int64, _ group: String?) throws -> String? {
            let position = try #require(Coordinate(latitude: latitude, longitude: 4))
            let instant = Self.start.advanced(byMilliseconds: after)
            return places.place(at: position, on: instant, for: group)?.name
        }
        // Before its first saving a place holds too, and after its removal the owner's is there.
        for after in [-1_000, 0, 2_000] as [Int64] {
            #expect(try name(51, after, "17") == nil)
            #expect(try name(53, after, "17") == "home")
            #expect(try name(51, after, "18") == "home")
            #expect(try name(53, after, nil) == nil)
            #expect(try name(52, after, "17") == "depot")
        }
        #expect(try name(51, 5_000, "17") == "home")
        #expect(try name(53, 5_000, "17") == nil)
        #expect(places.place(named: "home", for: "17")?.group == nil)
        #expect(places.places.map(\.name) == ["depot", "home"])
    }

    @Test func `vehicles of two groups that have one name are two`() throws {
        let book = try TemporaryLedger()
        for (group, plate, meters) in [(nil, "O", 1), ("17", "A", 2), ("18", "B", 3)] {
            let source = Ledger.decisionSource(of: group)
            let registered = VehicleRegistered(vehicle: "van", plate: plate)
            let value = try #require(ExactDecimal(significand: Int64(meters), decimals: 0))
            let read = OdometerRead(vehicle: "van", value: value, unit: .kilometers)
            try book.append(
                [EventBody.vehicleRegistered(registered), .odometerRead(read)]
                    .map { body in
                        TripEvent(
                            source: source,
                            group: group,
                            occurredAt: Self.start.advanced(byMilliseconds: Int64(meters) * 1_000),
                            body: body
                        )
                    }
            )
        }
        let vehicles = try book.ledger.vehicles()
        #expect(vehicles.groups(having: "van") == ["17", "18"])
        #expect(vehicles.vehicle(named: "van", for: "17")?.registration.plate == "A")
        #expect(vehicles.vehicle(named: "van", for: "19")?.registration.plate == "O")
        #expect(vehicles.vehicle(named: "van")?.registration.plate == "O")
        #expect(
            vehicles.readings(of: "van", for: "17").map(\.distance.millimeters) == [
                1_000_000, 2_000_000,
            ]
        )
        #expect(vehicles.readings(of: "van").count == 1)
        // A group that said nothing of one means the owner's, which is registered.
        #expect(vehicles.holder(of: "van", for: "17") == "17")
        #expect(vehicles.holder(of: "van", for: "19") == nil)
        #expect(vehicles.holder(of: "car", for: "19") == "19")
        let ofGroup = vehicles.book(of: GroupSelection("17"))
        #expect(ofGroup.vehicle(named: "van")?.registration.plate == "A")
        #expect(ofGroup.readings(of: "van").count == 2)
        try book.ledger.reading { snapshot in
            let error = #expect(throws: LedgerError.self) {
                try snapshot.requireOneVehicle(named: "van", of: nil)
            }
            #expect(error?.code == .ambiguous)
            try snapshot.requireOneVehicle(named: "van", of: GroupSelection("17"))
            try snapshot.requireOneVehicle(named: "van", of: GroupSelection(nil))
        }
    }

    @Test func `custom fields and routines of a group are its own`() throws {
        let book = try TemporaryLedger()
        try book.append(Self.drive(of: "box", in: "17"))
        func decide(_ decision: LedgerDecision, for group: String?) throws {
            book.now = book.now.advanced(byMilliseconds: 1_000)
            let outcome = try book.ledger.decide(decision, for: group, now: Self.now(book))
            #expect(outcome.receipt.storedPosition != nil, "\(outcome.receipt)")
        }
        var number = FieldEdit()
        number.valueType = .number
        try decide(.defineField("route", FieldEdit()), for: nil)
        try decide(.defineField("route", number), for: "17")
        let catalogues = try book.ledger.reading { snapshot in
            [
                try snapshot.fields(), try snapshot.fields(for: "17"),
                try snapshot.fields(for: "18"),
            ]
        }
        let types = catalogues.map { $0.definition(of: "route")?.valueType }
        #expect(types == [.text, .number, .text])
        for group in [nil, "18", "17"] {
            var details = TripDetails()
            details.purpose = "of \(group ?? "the owner")"
            try decide(
                .saveRoutine("Visit", details),
                for: group
            )
        }
        // The owner applies it to a trip of the group, for which the group's counts.
        try decide(.applyRoutine("Visit", to: .last), for: nil)
        #expect(try book.ledger.trips().first?.booked.details.purpose == "of 17")
        let routines = try book.ledger.routines()
        #expect(routines.routine(named: "Visit")?.details.purpose == "of the owner")
        #expect(routines.routine(named: "Visit", for: "19")?.details.purpose == "of the owner")
        #expect(routines.routines(for: "17").map(\.timesUsed) == [1])
        try expectSound(book.ledger)
    }
}

extension DetailChange {
    fileprivate var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}
