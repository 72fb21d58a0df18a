import Dispatch
import DriveSimulation
import LedgerTestSupport
import Projections
import Synchronization
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// Decisions of people, and the ledger's answers to them.
@Suite struct DecideTests {
    private func book(_ scenario: Scenario = .tunnel) throws -> TemporaryLedger {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: scenario, seed: 1, source: "phone"))
        return book
    }

    private func purpose(_ text: String) -> TripEdit {
        var edit = TripEdit()
        edit.purpose = .set(text)
        return edit
    }

    @Test func `an edit says what it changed, and a duplicate what was stored first`() throws {
        let book = try book()
        let first = try book.decide(.edit(.last, purpose("roof")), id: "a")
        #expect(first.changes == [FieldChange(field: "purpose", old: nil, new: .text("roof"))])
        #expect(first.trips.map(\.booked.details.purpose) == ["roof"])
        #expect(first.event.actor == "Eva")

        // The clock has moved, but the event is the same.
        let again = try book.decide(.edit(.last, purpose("roof")), id: "a")
        #expect(again.receipt == .duplicate(of: try #require(first.receipt.storedPosition)))
        #expect(again.event == first.event)
        #expect(again.changes.isEmpty)

        let other = try book.decide(.edit(.last, purpose("wall")), id: "a")
        guard case .conflict(_, let fields) = other.receipt else {
            Issue.record("\(other.receipt) is no conflict")
            return
        }
        #expect(fields == ["purpose"], "who decides says no time")
        #expect(other.trip == nil)
        try expectSound(book.ledger)
    }

    @Test func `an outcome tells what one decision changed, and nothing of the others`() throws {
        let book = try book()
        var edit = purpose("roof")
        edit.client = .set("ACME")
        #expect(try book.decide(.edit(.last, edit)).changes.count == 2)
        edit.purpose = .set("wall")
        #expect(
            try book.decide(.edit(.last, edit)).changes
                == [FieldChange(field: "purpose", old: .text("roof"), new: .text("wall"))]
        )
        #expect(try book.decide(.edit(.last, edit)).changes == [])
    }

    @Test func `voiding twice and restoring what stands change nothing`() throws {
        let book = try book()
        let id = try #require(try book.ledger.trips().first).trip.id
        let trip = TripReference.prefix(id.description)
        let decided: [(LedgerDecision, Int)] = [
            (.restore(trip), 0), (.void(trip, why: "ferry"), 1), (.void(trip, why: "ferry"), 0),
            (.restore(trip), 1),
        ]
        for (decision, changes) in decided {
            let outcome = try book.decide(decision)
            #expect(outcome.changes.count == changes, "\(decision)")
            #expect(outcome.trip == id)
        }
    }

    @Test func `a time that is given makes another event under the same id`() throws {
        let book = try book()
        let times = [1_000, 2_000].map { EventTime(book.now.advanced(byMilliseconds: $0)) }
        let receipts = try times.map { time in
            try book.ledger
                .decide(
                    .edit(.last, purpose("roof")),
                    at: time,
                    id: "a",
                    now: EventTime(book.now)
                )
                .receipt
        }
        #expect(receipts[0].isStored)
        #expect(
            receipts[1]
                == .conflict(
                    with: try #require(receipts[0].storedPosition),
                    fields: ["occurred_at"]
                )
        )
    }

    @Test func `custom fields are checked against their definitions`() throws {
        let book = try book()
        var edit = TripEdit()
        edit.fields = ["project": .text("P-17")]
        let size = try book.ledger.head().size
        guard case .rejected(let rejection) = try book.decide(.edit(.last, edit)).receipt else {
            Issue.record("a field that nobody defined was accepted")
            return
        }
        #expect(rejection.code == .unknownField)
        #expect(try book.ledger.head().size == size)
        var field = FieldEdit()
        field.valueType = .select
        guard case .rejected(let missing) = try book.decide(.defineField("project", field)).receipt
        else {
            Issue.record("a choice without options was accepted")
            return
        }
        #expect(missing.code == .missingField)
        field.options = ["P-17"]
        #expect(try book.decide(.defineField("project", field)).receipt.isStored)
        #expect(try book.decide(.edit(.last, edit)).receipt.isStored)
        edit.fields = ["project": .text("P-18")]
        guard case .rejected(let wrong) = try book.decide(.edit(.last, edit)).receipt else {
            Issue.record("a value that is no option was accepted")
            return
        }
        #expect(wrong.code == .invalidValue)
    }

    @Test(arguments: ["title", "class", "vehicle"])
    func `a custom field cannot have the key of a detail`(key: String) throws {
        let outcome = try book().decide(.defineField(key, FieldEdit()))
        guard case .rejected(let rejection) = outcome.receipt else {
            Issue.record("\(key) was accepted")
            return
        }
        #expect(rejection.field == "key")
    }

    @Test func `what trips do not allow has a code of its own`() throws {
        let book = try book()
        let decisions: [(LedgerDecision, LedgerError.Code)] = [
            (.merge([.last, .last]), .notMergeable),
            (.split(.last, at: .clock("23:00:00")), .notSplittable),
            (.recover(.save), .nothingToRecover),
            (.applyRoutine("Office", to: .last), .notFound),
            (.removePlace("Home"), .notFound),
            (.void(.prefix("0123456789abcdef"), why: "none"), .notFound),
            (.edit(.active, purpose("roof")), .notFound),
        ]
        let size = try book.ledger.head().size
        for (decision, code) in decisions {
            let error = #expect(throws: LedgerError.self) { try book.decide(decision) }
            #expect(error?.code == code, "\(decision)")
        }
        #expect(try book.ledger.head().size == size)
    }

    @Test func `no more places to skip are saved than trackers keep`() throws {
        let book = try TemporaryLedger()
        var saving = PlaceSaved(
            place: "",
            latitude: 52,
            longitude: 4,
            radiusMeters: 100,
            skips: true
        )
        for index in 0..<Tracker.mostPlacesToSkip {
            saving.place = "place \(index)"
            try book.append([
                TripEvent(source: "manual", occurredAt: book.now, body: .placeSaved(saving))
            ])
        }
        var edit = PlaceEdit()
        edit.latitude = 52
        edit.longitude = 4
        #expect(try book.decide(.savePlace("Office", edit)).receipt.isStored)
        edit.skips = true
        for name in ["Home", "Office"] {
            let error = #expect(throws: LedgerError.self) {
                try book.decide(.savePlace(name, edit))
            }
            #expect(error?.code == .tooManyPlaces)
        }
        #expect(try book.decide(.savePlace("place 0", edit)).receipt.isStored)
        #expect(try book.decide(.removePlace("place 0")).receipt.isStored)
        #expect(try book.decide(.savePlace("Home", edit)).receipt.isStored)
    }

    @Test func `a label of a place is kept, changed, cleared and taken back`() throws {
        let book = try TemporaryLedger()
        var edit = PlaceEdit()
        (edit.latitude, edit.longitude) = (52, 4)
        _ = try book.decide(.savePlace("Home", edit))
        let steps: [(DetailChange<String>, String?)] = [
            (.set("At home"), "At home"), (.unchanged, "At home"), (.cleared, nil),
            (.set("Nest"), "Nest"),
        ]
        for (change, label) in steps {
            let before = try book.ledger.read { try $0.places().place(named: "Home")?.saving }
            var edit = PlaceEdit()
            edit.label = change
            edit.skips = true
            let outcome = try book.decide(.savePlace("Home", edit))
            let saved = try book.ledger.read { try $0.places().place(named: "Home")?.saving }
            #expect(saved?.label == label)
            _ = try book.decide(try #require(outcome.undo))
            let undone = try book.ledger.read { try $0.places().place(named: "Home")?.saving }
            #expect(undone?.label == before?.label)
            #expect(undone?.skips == before?.skips || before?.skips == nil)
            _ = try book.decide(.savePlace("Home", edit))
        }
    }

    @Test func `of two trips that go on, a recovery has to name one`() throws {
        let book = try TemporaryLedger()
        for source in ["phone", "van"] {
            try book.append([
                TripEvent(source: source, occurredAt: book.now, body: .goPressed(GoPressed()))
            ])
        }
        let error = #expect(throws: LedgerError.self) { try book.decide(.recover(.save)) }
        #expect(error?.code == .ambiguous)
        let outcome = try book.decide(.recover(.save, source: "van"))
        #expect(outcome.trips.map(\.trip.source) == ["van"])
    }

    @Test func `an append with a decision's rules refuses what only the ledger writes`() throws {
        let book = try book()
        let body = EventBody.sourceRegistered(SourceRegistered(number: 7, name: "forged"))
        let receipts = try book.append([
            TripEvent(source: "phone", occurredAt: book.now, body: body)
        ])
        guard case .rejected(let rejection) = receipts[0] else {
            Issue.record("a reserved event was stored")
            return
        }
        #expect(rejection.code == .reservedType)
    }

    @Test func `an append can ask for the size that it was checked against`() throws {
        let book = try book()
        let size = try book.ledger.head().size
        let event = TripEvent(source: "p", occurredAt: book.now, body: .goPressed(GoPressed()))
        let error = #expect(throws: LedgerError.self) {
            try book.ledger.append([event], now: book.now, expectedSize: size + 1)
        }
        #expect(error?.code == .sizeMoved)
        #expect(try book.ledger.append([event], now: book.now, expectedSize: size)[0].isStored)
    }

    @Test func `of decisions in the same millisecond the one that was stored last holds`() throws {
        let book = try book()
        for number in 0..<20 {
            let edit = purpose("visit \(number)")
            let outcome = try book.ledger.decide(.edit(.last, edit), now: EventTime(book.now))
            #expect(outcome.trips.map(\.booked.details.purpose) == ["visit \(number)"])
        }
    }

    @Test func `a decision that another one of a later time overrules is warned of`() throws {
        let book = try book()
        let trip = try #require(try book.decide(.edit(.last, purpose("roof"))).trip)
        let ahead = TripEvent(
            source: "phone",
            occurredAt: book.now.advanced(byMilliseconds: 300_000),
            body: .distanceAdjusted(
                DistanceAdjusted(
                    trip: trip,
                    distanceMeters: try #require(ExactDecimal(literal: "9000")),
                    why: "ahead"
                )
            )
        )
        #expect(try book.append([ahead])[0].isStored)
        let edited = try book.decide(.edit(.last, purpose("wall")))
        #expect(edited.warnings.isEmpty)
        let restored = try book.decide(.restore(.last, why: nil))
        #expect(restored.warnings.map(\.code) == [.decidedLater])
    }

    @Test func `a clock that was set back is left as it is`() throws {
        let book = try book()
        let early = EventTime(book.now.advanced(byMilliseconds: -60_000))
        let outcome = try book.ledger.decide(.savePlace("Home", home), now: early)
        #expect(outcome.event.occurredAt == early.timestamp)
    }

    private var home: PlaceEdit {
        var edit = PlaceEdit()
        edit.latitude = 52
        edit.longitude = 4
        return edit
    }

    /// Each thread changes one thing about a place and leaves the rest as it was: if a decision
    /// were stored on what another one has changed meanwhile, it would undo that.
    @Test func `decisions of several threads undo nothing of one another`() throws {
        let book = try book()
        let clock = Atomic<Int64>(book.now.milliseconds)
        let ledger = book.ledger
        @Sendable func decide(_ edit: PlaceEdit) {
            do {
                let outcome = try ledger.decide(
                    .savePlace("Home", edit),
                    now: EventTime(
                        Timestamp(
                            milliseconds: clock.add(1, ordering: .sequentiallyConsistent).newValue
                        )
                    )
                )
                #expect(outcome.receipt.isStored)
            } catch {
                Issue.record(error)
            }
        }
        decide(home)
        for round in 0..<5 {
            let isOdd = round % 2 == 1
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                var edit = PlaceEdit()
                switch index {
                case 0: edit.label = .set("round \(round)")
                case 1: edit.skips = isOdd
                case 2: edit.notifiesOnEntry = isOdd
                default: edit.notifiesOnExit = isOdd
                }
                decide(edit)
            }
            let saved = try ledger.read { try $0.places().place(named: "Home")?.saving }
            #expect(saved?.label == "round \(round)")
            #expect(
                [saved?.skips, saved?.notifiesOnEntry, saved?.notifiesOnExit]
                    == [isOdd, isOdd, isOdd]
            )
        }
    }
}

extension TemporaryLedger {
    /// Decides something a second after the last event.
    func decide(
        _ decision: LedgerDecision,
        id: String? = nil
    ) throws
        -> DecisionOutcome
    {
        now = now.advanced(byMilliseconds: 1_000)
        return try ledger.decide(decision, by: "Eva", id: id, now: EventTime(now))
    }
}
