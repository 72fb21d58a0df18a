/// Events on their way into the log, packed so that ten thousand of them cost two allocations.
package struct EntryBatch: Sendable {
    /// An event of the batch in place.
    package struct Candidate: ~Escapable {
        /// The index of the source's name in the batch's `sources`.
        package let sourceIndex: Int

        /// What kind of event this is (Formats, *Kinds*).
        package let kind: UInt8

        /// How the payload is written, bit 0 set if there is an id (Formats, *Payloads*).
        package let form: UInt8

        /// When it happened, by the source's clock: milliseconds since 1970.
        package let occurredAt: Int64

        /// The sender's name for the event, UTF-8; empty if it gave none.
        package let id: Span<UInt8>

        /// The event's content.
        package let payload: Span<UInt8>

        // What the batch lends ends with the batch.
        @_lifetime(copy id, copy payload)
        init(_ item: Item, id: Span<UInt8>, payload: Span<UInt8>) {
            sourceIndex = Int(item.sourceIndex)
            kind = item.kind
            form = item.form
            occurredAt = item.occurredAt
            self.id = id
            self.payload = payload
        }
    }

    struct Item {
        var occurredAt: Int64
        var start: Int
        var payloadCount: UInt32
        var sourceIndex: UInt32
        var kind: UInt8
        var form: UInt8
        var idCount: UInt8
    }

    /// The names of the sources that occur, in order of first use.
    package private(set) var sources: [String] = []

    /// By the name's bytes: two spellings of an accented letter are two names.
    private var indexes: [[UInt8]: Int] = [:]
    private var latestIndex = 0
    private var items: [Item] = []
    private var bytes: [UInt8] = []

    /// Creates an empty batch.
    package init() {}

    /// The number of events.
    package var count: Int { items.count }

    /// Whether there is no event.
    package var isEmpty: Bool { items.isEmpty }

    /// Forgets all events and keeps the memory and the sources' names.
    package mutating func removeAll() {
        items.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Returns the index of a source's name, for `append(...)`.
    package mutating func index(ofSource name: String) -> Int {
        if latestIndex < sources.count, sources[latestIndex].utf8.elementsEqual(name.utf8) {
            return latestIndex
        }
        let bytes = Array(name.utf8)
        latestIndex = indexes[bytes] ?? sources.count
        if latestIndex == sources.count {
            indexes[bytes] = latestIndex
            sources.append(name)
        }
        return latestIndex
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - sourceIndex: What `index(ofSource:)` returned.
    ///   - kind: What kind of event this is; not 0, which is reserved.
    ///   - form: How the payload is written; bit 0 is set here if `id` is not empty.
    ///   - occurredAt: Milliseconds since 1970, less than 2^47 either way.
    ///   - id: The sender's name for the event, at most 255 bytes; empty if it gave none.
    ///   - payload: The event's content.
    package mutating func append(
        sourceIndex: Int,
        kind: UInt8,
        form: UInt8,
        occurredAt: Int64,
        id: Span<UInt8>,
        payload: Span<UInt8>
    ) {
        precondition(kind != 0, "kind 0 is reserved for tombstones")
        precondition(sources.indices.contains(sourceIndex), "the source must be of this batch")
        precondition(LogLimits.times.contains(occurredAt), "occurred_at must fit into 48 bits")
        precondition(id.count <= 255, "an id has at most 255 bytes")
        items.append(
            Item(
                occurredAt: occurredAt,
                start: bytes.count,
                payloadCount: UInt32(payload.count),
                sourceIndex: UInt32(sourceIndex),
                kind: kind,
                form: id.isEmpty ? form & ~EntryView.idForm : form | EntryView.idForm,
                idCount: UInt8(id.count)
            )
        )
        bytes.append(contentsOf: id)
        bytes.append(contentsOf: payload)
    }

    /// The event at `index`, in the order in which they were added.
    package subscript(index: Int) -> Candidate {
        // Id and payload are bytes of the batch, which must not change while they are lent.
        @_lifetime(borrow self)
        get {
            let item = items[index]
            let payload = item.start + Int(item.idCount)
            return Candidate(
                item,
                id: bytes.span.extracting(item.start..<payload),
                payload: bytes.span.extracting(payload..<payload + Int(item.payloadCount))
            )
        }
    }
}
