import EventStore
public import TripEvents
import TripTracking

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
            try store.scan(.folds) { key, value in
                let number = ViewKey.number(ofSource: key)
                guard let fold = try? SourceFold(decoding: value),
                    let state = try log.source(numbered: number)
                else { throw StaleViews(sentence: "the active-trip checkpoint is damaged") }
                let latestAt = Timestamp(milliseconds: state.highWaterMark)
                var steps: [TripStep] = []
                var tracker = try runner.settled(number, fold).tracker
                // What time brings is shown and not stored: it follows from the events anyway.
                let live = try tracker.advance(
                    to: max(instant, latestAt),
                    events: runner.directory,
                    steps: &steps
                )
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
}
