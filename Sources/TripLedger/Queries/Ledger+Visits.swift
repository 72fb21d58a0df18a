import EventStore
import Projections
import Proofs
import TripEvents
import TripTracking

extension Ledger {
    /// Returns the visits of places, newest first, found anew in all fixes of the log.
    ///
    /// What is usable goes by the rules that are in force for a source, and what is a place by the
    /// whole book of places. Memory is needed for the visits, and not for the log.
    ///
    /// - Parameters:
    ///   - filter: which visits.
    ///   - onProgress: told now and then how many entries have been read, and of how many.
    /// - Returns: The visits.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func visits(
        _ filter: VisitFilter = VisitFilter(),
        onProgress: (_ read: UInt64, _ size: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> [SourceVisit] {
        try withViews { store in
            let places = PlaceBook(
                try StaleViews.takingDamage { try BookRows(over: store).decisions(on: .places) }
            )
            guard !places.isEmpty else { return [] }
            var runner = ProjectionRunner(
                log: log,
                rules: rules,
                over: store,
                from: ViewCursor(versions: ViewSet.versions)
            )
            try runner.loadAmbientEvents()
            var search = VisitSearch(
                places,
                filter,
                rules: rules,
                adoptions: try runner.adoptions(),
                upTo: try log.head().size,
                in: log
            )
            return try search.visits(onProgress)
        }
    }
}
