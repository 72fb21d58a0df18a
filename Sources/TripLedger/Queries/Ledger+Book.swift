import EventStore
public import Projections
public import TripEvents

extension Ledger {
    /// Returns every change that people made to a trip, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func history(of trip: TripID) throws(LedgerError) -> [TripAmendment] {
        try withBook { try TripBook().history(of: trip, in: $0) }
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
        try withBook { book in
            let prefix = [OrphanedDecision.keyPrefix]
            return try book.rows.rows(from: prefix, prefix: prefix)
                .map { try OrphanedDecision(decoding: $0.value) }
        }
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
