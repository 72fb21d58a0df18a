import EventStore
import TripEvents
import TripTracking

/// Finds the facts about stored events that trackers ask for.
struct LogDirectory: EventDirectory {
    let log: ReadableLog
    let names: SourceNames

    /// The event that was decoded last: what opens a trip is nearly always the event itself.
    private var latest: (position: UInt64, facts: EventFacts)?

    init(log: ReadableLog, names: SourceNames) {
        self.log = log
        self.names = names
    }

    /// Remembers an event that was decoded.
    mutating func note(_ stored: StoredEvent) {
        latest = (stored.position, Self.facts(stored))
    }

    /// Returns the facts about the event at a position.
    ///
    /// - Throws: `StaleViews` if the log does not have it; `EventLogError` if it is damaged.
    func facts(at position: UInt64) throws -> EventFacts {
        if let latest, latest.position == position { return latest.facts }
        var names = names
        let facts = try log.withEntry(at: position) { entry in
            let source = try names.source(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, source: source)
            return Self.facts(stored)
        }
        // Trackers that come from the views may know positions that the log does not have.
        guard let facts else {
            throw StaleViews.unknownEntry
        }
        return facts
    }

    private static func facts(_ stored: StoredEvent) -> EventFacts {
        EventFacts(identity: stored.identity, utcOffset: stored.event.utcOffset)
    }
}
