package import EventStore
import Projections
package import Proofs
public import TripEvents

/// An event as the log holds it: what was reported, and what the ledger added.
public struct StoredEvent: Hashable, Sendable {
    /// The reported event.
    public var event: TripEvent

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Its position in the log.
    public var position: UInt64

    /// The identity digest of the event.
    public var identity: IdentityDigest

    /// The time at which the event counts as having happened.
    ///
    /// It differs from the event's own time if a person said later that the clock was wrong.
    public var happenedAt: Timestamp

    /// The event's times and position, as the core wants them.
    public var stamp: EventStamp {
        EventStamp(
            occurredAt: happenedAt,
            utcOffset: event.utcOffset,
            recordedAt: recordedAt,
            position: position,
            isOfGroup: event.group != nil
        )
    }

    /// Decodes an entry.
    ///
    /// - Throws: `EventLogError.damaged` if its payload is not what its kind demands, or a time
    ///   cannot be written.
    package init(
        _ entry: EntryView,
        at position: UInt64,
        source: RegisteredSource
    ) throws(EventLogError) {
        let id = entry.hasID ? String(validating: entry.id) : nil
        guard entry.hasID == (id != nil) else {
            throw .damaged(position: position, "its id is not UTF-8")
        }
        do throws(PayloadDamage) {
            event = try TripEvent(
                decoding: entry.payload,
                kind: entry.kind,
                form: PayloadForm(rawValue: entry.form),
                source: source.name,
                group: source.group,
                occurredAt: Timestamp(milliseconds: entry.occurredAt),
                id: id
            )
        } catch {
            throw .damaged(position: position, error.description)
        }
        happenedAt = event.occurredAt
        recordedAt = Timestamp(milliseconds: entry.recordedAt)
        guard RFC3339.writable.contains(recordedAt) else {
            throw .damaged(position: position, "it was recorded in no year from 1 to 6428")
        }
        self.position = position
        identity = IdentityDigest(entry.identityDigest(sourceName: source.name))
    }
}

extension StoredEvent {
    /// The entry as one JSON object (`log-entry.v1.schema.json`): what the ledger added, then the
    /// event's members.
    public var json: [UInt8] {
        var json: [UInt8] = []
        appendJSON(to: &json)
        return json
    }

    /// Appends the entry as one JSON object, without a line end.
    package func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"position":"#.utf8)
        FixedPoint.append(Int64(position), decimals: 0, to: &bytes)
        bytes.append(contentsOf: #","recorded_at":""#.utf8)
        RFC3339.append(recordedAt, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        event.appendJSONMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Whether the content is gone: erased, or withheld from this copy.
    public var isErased: Bool {
        if case .unknown(let event) = event.body { return event.isErased }
        return false
    }
}

/// The names of sources by number, and their groups, read from the log when first needed.
package struct SourceNames {
    /// How many names are kept: a log may have a million sources.
    private static let mostNames = 1 << 16

    private let log: ReadableLog
    private var sources: [UInt32: RegisteredSource] = [0: .ledger]

    /// The source that was asked for last, which is nearly always the next one too.
    private var last: (number: UInt32, source: RegisteredSource) = (0, .ledger)

    /// Takes a log; nothing is read from it yet.
    package init(_ log: ReadableLog) {
        self.log = log
    }

    /// Returns the name of a source.
    ///
    /// - Throws: `EventLogError.damaged` if the log has no such source.
    package mutating func name(of number: UInt32, at position: UInt64) throws -> String {
        try source(of: number, at: position).name
    }

    /// Returns what the log says of a source.
    ///
    /// - Throws: `EventLogError.damaged` if the log has no such source.
    package mutating func source(
        of number: UInt32,
        at position: UInt64
    ) throws -> RegisteredSource {
        if number == last.number { return last.source }
        last = (number, try look(up: number, at: position))
        return last.source
    }

    private mutating func look(up number: UInt32, at position: UInt64) throws -> RegisteredSource {
        if let source = sources[number] { return source }
        guard let state = try log.source(numbered: number) else {
            throw EventLogError.damaged(
                position: position,
                "its source \(number) was never registered"
            )
        }
        if sources.count >= Self.mostNames { sources = [0: .ledger] }
        sources[number] = state.registered
        return state.registered
    }
}

extension IdentityDigest {
    /// Takes over a digest that the store computed.
    package init(_ digest: Digest) {
        self.init(words: InlineArray { digest.word(at: $0) })
    }
}

extension EntryContent {
    /// Takes over what the catalogue encoded.
    package init(_ event: EncodedEvent) {
        self.init(kind: event.kind, form: event.form.rawValue, payload: event.payload)
    }

    /// Returns the content of the event that gives a source its number.
    package static func registration(
        number: UInt32,
        of source: RegisteredSource
    ) -> EntryContent {
        let registered = SourceRegistered(
            number: number,
            name: source.name,
            group: source.group
        )
        return EntryContent(
            TripEvent(
                source: "",
                occurredAt: Timestamp(milliseconds: 0),
                body: .sourceRegistered(registered)
            )
            .encoded
        )
    }
}
