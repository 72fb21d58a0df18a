import EventStore
public import Projections
import SystemPackage
public import TripEvents
import TripsProjection

extension Ledger {
    /// Returns every change that people made to a trip, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func history(of trip: TripID) throws(LedgerError) -> [TripAmendment] {
        try withBook { try TripBook().history(of: trip, in: $0) }
    }

    /// Returns what a decision did to a trip.
    ///
    /// - Parameters:
    ///   - position: Where the decision is in the log.
    ///   - trip: The trip, or one of the trips, that it names; `nil` for the one that it reports.
    /// - Returns: What the trip's history says of that decision.
    /// - Throws: `.notFound` if no decision, or no such trip, is there; `.damaged`, `.inputOutput`.
    public func outcome(
        ofDecisionAt position: UInt64,
        for trip: TripID?
    ) throws(LedgerError) -> DecisionOutcome {
        let stored = try LedgerError.translating(at: path) {
            var names = SourceNames(log)
            return try log.withEntry(at: position) { entry in
                try StoredEvent(
                    entry,
                    at: position,
                    sourceName: names.name(of: entry.source, at: position)
                )
            }
        }
        guard let stored, let kind = stored.event.body.kind, Decision.kinds.contains(kind) else {
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "no decision is at position \(position)",
                hint: "List the log with `ledger log`"
            )
        }
        let trip = trip ?? TripID(openedBy: stored.identity)
        let changes = try history(of: trip)
            .filter { $0.decision == stored.identity && $0.change.old != $0.change.new }
            .map(\.change)
        return DecisionOutcome(
            trip: trip,
            kind: kind,
            changes: changes,
            mergedInto: try self.trip(.prefix(trip.description)).booked.mergedInto
        )
    }

    /// Returns the custom fields that people defined.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func fields() throws(LedgerError) -> FieldCatalogue {
        try withBook { try TripBook().fields(in: $0) }
    }

    /// Returns the decisions about trips that are not there, and that no trip at their time could
    /// take over, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func orphans() throws(LedgerError) -> [OrphanedDecision] {
        try withBook { try orphans(in: $0) }
    }

    func orphans(in book: BookRows) throws -> [OrphanedDecision] {
        let prefix = [OrphanedDecision.keyPrefix]
        return try book.rows.rows(from: prefix, prefix: prefix)
            .map { try OrphanedDecision(decoding: $0.value) }
    }

    /// Lends the book, which is brought up to date before.
    func withBook<Result>(
        _ body: (BookRows) throws -> Result
    ) throws(LedgerError) -> Result {
        try withViews { store in
            let book = BookRows(over: store)
            return try StaleViews.takingDamage { try body(book) }
        }
    }
}
