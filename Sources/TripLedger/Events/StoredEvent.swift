import EventStore
public import TripEvents

/// An event as the log holds it: what was reported, and what the ledger added.
public struct StoredEvent: Hashable, Sendable {
    /// What was reported.
    public var event: TripEvent

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Its position in the log.
    public var position: UInt64

    /// The digest of what makes the event the event it is.
    public var identity: IdentityDigest

    /// The event's times and position, as the core wants them.
    public var stamp: EventStamp {
        EventStamp(
            occurredAt: event.occurredAt,
            utcOffset: event.utcOffset,
            recordedAt: recordedAt,
            position: position
        )
    }

    /// Decodes an entry.
    ///
    /// - Throws: `EventLogError.damaged` if its payload is not what its kind demands, or a time
    ///   is none that can be written.
    init(_ entry: EntryView, at position: UInt64, sourceName: String) throws(EventLogError) {
        let id = entry.hasID ? String(validating: entry.id) : nil
        guard entry.hasID == (id != nil) else {
            throw .damaged(position: position, "its id is not UTF-8")
        }
        do throws(PayloadDamage) {
            event = try TripEvent(
                decoding: entry.payload,
                kind: entry.kind,
                form: PayloadForm(rawValue: entry.form),
                source: sourceName,
                occurredAt: Timestamp(milliseconds: entry.occurredAt),
                id: id
            )
        } catch {
            throw .damaged(position: position, error.description)
        }
        recordedAt = Timestamp(milliseconds: entry.recordedAt)
        guard RFC3339.writable.contains(recordedAt) else {
            throw .damaged(position: position, "it was recorded in no year from 1 to 9999")
        }
        self.position = position
        identity = IdentityDigest(entry.identityDigest(sourceName: sourceName))
    }
}
