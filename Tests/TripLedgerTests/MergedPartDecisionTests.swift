import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripsProjection

/// A decision about a part of a merged trip is one about the whole, and its event says so.
@Suite struct MergedPartDecisionTests {
    /// A book with three reported trips without a vehicle, of 10 km each, the first of which stands
    /// for all of them or for the first two.
    private static func book(
        _ random: inout SplitMix64
    ) throws -> (book: TemporaryLedger, parts: [TripID]) {
        let book = try TemporaryLedger()
        try book.append(
            (0..<3)
                .map { index in
                    let start = Timestamp(
                        milliseconds: 1_800_000_000_000 + Int64(index) * 7_200_000
                    )
                    let report = TripReported(
                        startedAt: EventTime(start),
                        endedAt: EventTime(start.advanced(byMilliseconds: 3_600_000)),
                        distanceMeters: 10_000
                    )
                    return TripEvent(
                        source: "manual",
                        occurredAt: start,
                        body: .tripReported(report)
                    )
                }
        )
        let ids = try book.ledger.trips()
            .sorted { $0.trip.startedAt.timestamp < $1.trip.startedAt.timestamp }
            .map(\.trip.id)
        let parts = Array(ids.prefix(Int.random(in: 2...3, using: &random)))
        let merged = try decide(.merge(parts.shuffled(using: &random).map { .named($0) }), book)
        #expect(merged.receipt.isStored)
        return (book, parts)
    }

    private static func decide(
        _ decision: LedgerDecision,
        id: String? = nil,
        _ book: TemporaryLedger
    ) throws -> DecisionOutcome {
        book.now = book.now.advanced(byMilliseconds: 1_000)
        return try book.ledger.decide(decision, by: "Eva", id: id, now: EventTime(book.now))
    }

    private static func booked(_ trip: TripID, _ book: TemporaryLedger) throws -> BookedTrip {
        try book.ledger.read { try $0.trip(.named(trip)).booked }
    }

    private static func edit(vehicle: String) -> TripEdit {
        var edit = TripEdit()
        edit.vehicle = .set(vehicle)
        return edit
    }

    @Test(arguments: Seeds.fresh(12))
    func `the whole follows what is decided of any part, and nothing is without effect`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let (book, parts) = try Self.book(&random)
        for number in 0..<8 {
            let part = try #require(parts.randomElement(using: &random))
            let vehicle = Bool.random(using: &random) ? "golf" : "van"
            let meters = Int64.random(in: 1...9, using: &random) * 1_000
            let decision: LedgerDecision =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .void(.named(part), why: "Ferry")
                case 1:
                    .adjust(
                        .named(part),
                        distanceMeters: ExactDecimal(integerLiteral: meters),
                        why: "Odometer"
                    )
                default: .edit(.named(part), Self.edit(vehicle: vehicle))
                }
            let before = try Self.booked(parts[0], book)
            let outcome = try Self.decide(decision, book)
            let comment: Comment = "seed \(seed), \(number), \(decision)"
            let whole = try Self.booked(parts[0], book)
            #expect(whole.shownTrips == parts, comment)
            #expect(outcome.trip == part, comment)
            #expect(outcome.mergedInto == (part == parts[0] ? nil : parts[0]), comment)
            #expect(outcome.trips.map(\.trip.id) == [parts[0]], comment)
            switch decision {
            case .void: #expect(whole.status == .voided, comment)
            case .adjust:
                #expect(whole.claimedDistance.millimeters == meters * 1_000, comment)
            default:
                #expect(whole.details.vehicle == vehicle, comment)
                let isNews = before.details.vehicle != vehicle
                #expect(outcome.changes.map(\.field) == (isNews ? ["vehicle"] : []), comment)
            }
            #expect(try book.ledger.decisionsWithoutEffect() == [], comment)
        }
        try expectSound(book.ledger, "seed \(seed)")
        // Restoring any part takes back what was decided of the whole.
        let part = try #require(parts.randomElement(using: &random))
        let restored = try Self.decide(.restore(.named(part)), book)
        #expect(restored.trip == part)
        for part in parts {
            let booked = try Self.booked(part, book)
            #expect(booked.status == .completed, "seed \(seed)")
            #expect(booked.claimedDistance.millimeters == 10_000_000, "seed \(seed)")
        }
        #expect(try book.ledger.decisionsWithoutEffect() == [], "seed \(seed)")
    }

    @Test func `a decision that is sent again after a merge is a duplicate`() throws {
        var random = SplitMix64(seed: 1)
        let (book, parts) = try Self.book(&random)
        _ = try Self.decide(.restore(.named(parts[1])), book)
        let edit = LedgerDecision.edit(.named(parts[1]), Self.edit(vehicle: "golf"))
        let first = try Self.decide(edit, id: "a", book)
        #expect(first.receipt.isStored)
        _ = try Self.decide(.merge(parts.map { .named($0) }), book)
        let again = try Self.decide(edit, id: "a", book)
        #expect(again.receipt == .duplicate(of: try #require(first.receipt.storedPosition)))
        try expectSound(book.ledger)
    }

    @Test func `what is decided for a time before the merge is about the part`() throws {
        var random = SplitMix64(seed: 1)
        let (book, parts) = try Self.book(&random)
        let early = EventTime(Timestamp(milliseconds: 1_850_000_000_000))
        let outcome = try book.ledger.decide(
            .void(.named(parts[1]), why: "Ferry"),
            at: early,
            now: EventTime(book.now.advanced(byMilliseconds: 1_000))
        )
        #expect(outcome.event.body.decidedTrips == [parts[1]])
        #expect(try Self.booked(parts[0], book).status == .completed)
        #expect(try Self.booked(parts[1], book).status == .voided)
        #expect(try book.ledger.decisionsWithoutEffect().map(\.obstacle) == [.isVoided])
    }
}
