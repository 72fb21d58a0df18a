import EventStore
public import TripEvents
import TripTracking

extension Ledger {
    /// Says what is in the ledger and what each source is doing.
    ///
    /// - Parameter instant: The instant to look at; without it, each source's latest event.
    /// - Returns: The ledger at a glance.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func status(asOf instant: Timestamp? = nil) throws(LedgerError) -> LedgerStatus {
        let lag = try lag()
        let head = try head()
        let sources = try withViews { store in
            var sources: [LedgerStatus.Source] = []
            try store.scan(.folds, from: nil) { key, value in
                guard let fold = try? SourceFold(decoding: value),
                    let state = try log.source(numbered: ViewKey.number(ofSource: key))
                else { throw StaleViews(sentence: "the active-trip checkpoint is damaged") }
                let latestAt = Timestamp(milliseconds: state.highWaterMark)
                sources.append(
                    LedgerStatus.Source(
                        name: state.name,
                        events: state.events,
                        latestAt: latestAt,
                        phase: fold.tracker.phase(asOf: instant ?? latestAt),
                        openTrip: fold.tracker.openTrip
                    )
                )
                return true
            }
            return sources
        }
        return LedgerStatus(founding: founding, head: head, lag: lag, sources: sources)
    }
}
