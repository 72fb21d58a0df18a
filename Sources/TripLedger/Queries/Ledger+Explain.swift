import EventStore
import SystemPackage
import TripEvents
import TripTracking
import TripsProjection

extension Ledger {
    /// Computes a trip again from the log and says what each event meant for it.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try withViews { store in
            let row = try trip(reference, in: store)
            guard let source = try log.number(ofSource: row.trip.source) else {
                throw LedgerError(
                    .damaged,
                    at: path.string,
                    cause: "the log has no source \(row.trip.source)",
                    hint: "Make the views anew with `ledger project --rebuild`"
                )
            }
            // The rows were made up to there; what came since is not in them.
            let end = try validCursor(of: store).size
            var runner = ProjectionRunner(
                log: log,
                rules: rules,
                over: store,
                from: ViewCursor(versions: ViewSet.versions)
            )
            try runner.loadAmbientEvents()
            let point = try runner.rewindPoint(of: source, before: row.trip.startedAt.timestamp)
            let marks = try runner.marks(
                for: row.trip,
                of: source,
                after: point,
                upTo: end
            )
            var names = SourceNames(log)
            var replay = TripReplay(
                of: row.trip,
                from: point?.tracker ?? Tracker(source: row.trip.source, rules: rules),
                directory: LogDirectory(log: log, names: SourceNames(log))
            )
            try log.read(marks.map(\.position)) { entry, position in
                try replay.take(
                    StoredEvent(
                        entry,
                        at: position,
                        sourceName: names.name(of: entry.source, at: position)
                    )
                )
                return !replay.isFinished
            }
            guard let trip = replay.trip else {
                throw LedgerError(
                    .damaged,
                    at: path.string,
                    cause: "the view has trip \(row.trip.id), but the log does not give it",
                    hint: "Make the views anew with `ledger project --rebuild`"
                )
            }
            return TripExplanation(trip: trip, row: row, events: replay.events)
        }
    }
}
