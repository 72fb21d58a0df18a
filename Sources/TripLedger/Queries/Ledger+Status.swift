import EventStore
import Projections
public import TripEvents
import TripTracking
import TripsProjection

extension Ledger {
    /// Says what is in the ledger and what each source is doing.
    ///
    /// - Parameter instant: The instant to look at; one before a source's latest event looks at
    ///   that event.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(asOf instant: Timestamp) throws(LedgerError) -> LedgerStatus {
        let lag = try lag()
        let head = try head()
        let sources = try withViews { store in
            var runner = ProjectionRunner(
                log: log,
                rules: rules,
                over: store,
                from: ViewCursor(versions: ViewSet.versions)
            )
            try runner.loadAmbientEvents()
            var sources: [LedgerStatus.Source] = []
            try store.scan(.folds, from: nil) { key, value in
                let number = ViewKey.number(ofSource: key)
                guard let fold = try? SourceFold(decoding: value),
                    let state = try log.source(numbered: number)
                else { throw StaleViews(sentence: "the active-trip checkpoint is damaged") }
                let latestAt = Timestamp(milliseconds: state.highWaterMark)
                var steps: [TripStep] = []
                var tracker = try runner.settled(number, fold).tracker
                // What time brings is shown and not stored: it follows from the events anyway.
                var live = try tracker.advance(
                    to: max(instant, latestAt),
                    events: runner.directory,
                    steps: &steps
                )
                if live.phase == .details, let trip = tracker.awaitingDetails {
                    try Self.answer(trip, of: &live, in: store)
                }
                sources.append(
                    LedgerStatus.Source(
                        name: state.name,
                        events: state.events,
                        latestAt: latestAt,
                        live: live
                    )
                )
                return true
            }
            return sources
        }
        return LedgerStatus(founding: founding, head: head, lag: lag, sources: sources)
    }

    /// Ends the wait for a trip's purpose if somebody has said something about it, whichever source
    /// reported that, or has taken the trip away.
    ///
    /// The book knows, so that no tracker has to be told of what people say about trips that are
    /// over.
    private static func answer(
        _ id: TripID,
        of live: inout LiveStatus,
        in store: ViewStore
    ) throws {
        guard let row = try tripRow(id, in: store) else { return }
        let isTakenAway = row.booked.status == .voided || row.booked.status == .merged
        guard row.booked.detailsRecorded != nil || isTakenAway else { return }
        live.phase = .idle
        let said = try TripBook().history(of: id, in: BookRows(over: store))
            .filter { $0.kind == .detailsEdited || $0.kind == .routineApplied }
            .map(\.occurredAt.timestamp)
        live.since = [live.since, said.min()].compactMap(\.self).max()
    }
}
