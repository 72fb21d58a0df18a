import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// A decision is never lost, counts everywhere, and does not depend on the order of arrival.
@Suite struct DecisionLawTests {
    @Test(arguments: Seeds.fresh(4))
    func `every edit is found again, whatever data comes later`(seed: UInt64) throws {
        let comment: Comment = "seed \(seed)"
        var random = SplitMix64(seed: seed)
        let events = try Arrival.events(seed: seed).filter { !Self.isDecision($0) }
        var rest = Arrival.heldBack.order(events, using: &random)[...]
        let book = try TemporaryLedger()
        var edits: [TripEvent] = []
        while !rest.isEmpty {
            let piece = rest.prefix(events.count / 3 + 1)
            rest = rest.dropFirst(piece.count)
            try book.append(Array(piece))
            let new = try Self.edits(of: book, numberedFrom: edits.count)
            try book.append(new)
            edits += new
        }
        // The places and rules of a rare seed leave no trip, and so nothing to edit.
        let hasTrips = try !book.ledger.trips(TripFilter(includesUncounted: true)).isEmpty
        #expect(!edits.isEmpty || !hasTrips, comment)
        #expect(try Self.purposes(in: book).sorted() == edits.indices.map(Self.purpose).sorted())
        try expectSound(book.ledger, comment)

        let other = try TemporaryLedger()
        try other.append((events + edits).shuffled(using: &random))
        #expect(try BookFacts(other) == BookFacts(book), comment)
    }

    @Test(arguments: Seeds.fresh(2))
    func `histories, orphans and totals are the same in any order of arrival`(
        seed: UInt64
    ) throws {
        let events = try Arrival.events(seed: seed)
        let inOrder = try TemporaryLedger()
        try inOrder.append(events)
        let facts = try BookFacts(inOrder)
        #expect(!facts.histories.isEmpty, "seed \(seed)")
        #expect(facts.totals == facts.sumsOfTrips, "seed \(seed)")

        var random = SplitMix64(seed: seed)
        for arrival in Arrival.allCases {
            let book = try TemporaryLedger()
            let arrived = arrival.order(events, using: &random)
            let middle = Int.random(in: 0...arrived.count, using: &random)
            try book.append(Array(arrived[..<middle]))
            let halfway = try BookFacts(book)
            #expect(halfway.totals == halfway.sumsOfTrips, "seed \(seed), \(arrival)")
            try book.append(Array(arrived[middle...]))
            #expect(try BookFacts(book) == facts, "seed \(seed), \(arrival)")
            _ = try book.ledger.project(isRebuild: true)
            #expect(try BookFacts(book) == facts, "seed \(seed), \(arrival), rebuilt")
        }
    }

    private static func isDecision(_ event: TripEvent) -> Bool {
        event.body.kind.map(Decision.kinds.contains) ?? false
    }

    private static func purpose(_ number: Int) -> String { "purpose \(number)" }

    /// Returns an edit of each trip there is.
    private static func edits(
        of book: TemporaryLedger,
        numberedFrom first: Int
    ) throws -> [TripEvent] {
        try book.ledger.trips(TripFilter(includesUncounted: true)).enumerated()
            .map { index, row in
                let number = first + index
                let edit = DetailsEdited(
                    trip: row.trip.id,
                    tripStartedAt: row.trip.startedAt,
                    purpose: .set(purpose(number))
                )
                return TripEvent(
                    source: "manual",
                    occurredAt: book.now.advanced(byMilliseconds: Int64(number)),
                    actor: "Eva",
                    body: .detailsEdited(edit)
                )
            }
    }

    /// Returns every purpose that a history or an orphan knows of.
    private static func purposes(in book: TemporaryLedger) throws -> [String] {
        let changes = try book.ledger.trips(TripFilter(includesUncounted: true))
            .flatMap { try book.ledger.history(of: $0.trip.id) }
            .map(\.change)
        let orphans = try book.ledger.decisionsWithoutEffect().map(\.decision.event.body)
        return changes.compactMap { change in
            guard change.field == "purpose", case .text(let purpose)? = change.new else {
                return nil
            }
            return purpose
        }
            + orphans.compactMap { body in
                guard case .detailsEdited(let edit) = body, case .set(let purpose) = edit.purpose
                else { return nil }
                return purpose
            }
    }
}
