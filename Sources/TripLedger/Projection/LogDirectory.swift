import EventStore
import TripEvents
import TripTracking

/// Finds the facts about stored events that trackers ask for.
struct LogDirectory: EventDirectory {
    let log: EventLog
    let names: SourceNames

    /// Returns the facts about the event at a position.
    ///
    /// - Throws: `StaleViews` if the log does not have it; `EventLogError` if it is damaged.
    func facts(at position: UInt64) throws -> EventFacts {
        var names = names
        let facts = try log.withEntry(at: position) { entry in
            let name = try names.name(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, sourceName: name)
            return EventFacts(identity: stored.identity, utcOffset: stored.event.utcOffset)
        }
        // Trackers that come from the views may know positions that the log does not have.
        guard let facts else {
            throw StaleViews.unknownEntry
        }
        return facts
    }
}
