import Projections
public import TripEvents
import TripTracking
public import TripsProjection

extension Ledger {
    /// Returns whether splitting a trip at an instant would make two of it.
    ///
    /// It would not before the trip's first position, and not after it has last moved.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func canSplit(_ trip: TripID, at instant: Timestamp) throws(LedgerError) -> Bool {
        try withViews { store in
            guard let row = try Self.tripRow(trip, in: store) else { return false }
            let end = try validCursor(of: store).size
            var explainer = try TripExplainer(log: log, rules: rules, over: store, upTo: end)
            return try explainer.canDivide(row.trip, at: instant)
        }
    }

    /// Returns a trip and those that splits of it have made, in order of their starts.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func parts(ofSplit trip: TripID) throws(LedgerError) -> [TripRow] {
        try withViews { store in
            let splits = try TripBook().standingSplits(of: trip, in: BookRows(over: store))
            return try ([trip] + splits.compactMap(\.madeTrip))
                .compactMap { try Self.tripRow($0, in: store) }
                .sorted { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
        }
    }
}
