package import EventStore
package import TripEvents

/// An entry of the log, decoded as far as it takes to write it down.
///
/// It is written where it was decoded and never copied, which would cost as much as writing it.
package enum LoggedEntry: ~Copyable, Sendable {
    /// A GPS reading, which nearly every entry is.
    case reading(LoggedReading)

    /// Every other event, and a reading whose entry is not as most are.
    case event(LoggedEvent)

    /// Decodes an entry.
    ///
    /// - Throws: `EventLogError.damaged`, where ``StoredEvent`` does.
    package init(
        _ entry: EntryView,
        at position: UInt64,
        source: RegisteredSource
    ) throws(EventLogError) {
        if let reading = LoggedReading(entry, at: position, source: source) {
            self = .reading(reading)
        } else {
            self = .event(LoggedEvent(try StoredEvent(entry, at: position, source: source)))
        }
    }

    /// The entry's position in the log.
    package var position: UInt64 {
        switch self {
        case .reading(let reading): reading.position
        case .event(let event): event.stored.position
        }
    }

    /// When the ledger stored it.
    package var recordedAt: Timestamp {
        switch self {
        case .reading(let reading): reading.recordedAt
        case .event(let event): event.stored.recordedAt
        }
    }
}

/// An event of the log in memory of its own, so that the readings, which nearly all entries are,
/// need no room for one.
package final class LoggedEvent: Sendable {
    /// The event.
    package let stored: StoredEvent

    init(_ stored: StoredEvent) {
        self.stored = stored
    }
}

/// A GPS reading as the log holds it.
package struct LoggedReading: ~Copyable, Sendable {
    /// Its position in the log.
    package let position: UInt64

    /// When the ledger stored it.
    package let recordedAt: Timestamp

    /// When it was taken, by the source's clock.
    private let occurredAt: Timestamp

    /// The number of the source.
    package let source: UInt32

    /// The source's name.
    package let sourceName: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    package let group: String?

    /// The sender's name for the event, if it gave one.
    package let id: String?

    /// The decoded entry.
    package let reading: StoredReading

    /// When it was taken, by the source's clock, with its offset from UTC.
    package var time: EventTime { EventTime(occurredAt, utcOffset: reading.utcOffset) }

    /// Decodes an entry, or returns `nil` if ``StoredEvent`` is to look at it: it is another event,
    /// or damaged.
    init?(_ entry: EntryView, at position: UInt64, source registered: RegisteredSource) {
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        guard entry.kind == EventKind.fixRecorded.rawValue,
            RFC3339.writable.contains(occurredAt), RFC3339.writable.contains(recordedAt),
            let reading = StoredReading(
                payload: entry.payload,
                form: PayloadForm(rawValue: entry.form)
            )
        else { return nil }
        let id = entry.hasID ? String(validating: entry.id) : nil
        guard entry.hasID == (id != nil) else { return nil }
        self.id = id
        self.position = position
        self.recordedAt = recordedAt
        self.occurredAt = occurredAt
        source = entry.source
        sourceName = registered.name
        group = registered.group
        self.reading = reading
    }
}
