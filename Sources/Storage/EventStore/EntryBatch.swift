internal import Proofs

/// Events on their way into the log, packed so that ten thousand of them cost two allocations.
package struct EntryBatch: Sendable {
    /// An event of the batch in place.
    package struct Candidate: ~Escapable {
        /// The index of the source in the batch's `sources`.
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

        // The spans are bytes of the batch, and end with it.
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

    /// The sources that occur, in order of first use, each with the group that it is said to be of;
    /// `nil` if nothing is said.
    package private(set) var sources: [RegisteredSource] = []

    /// The indexes by the bytes of name and group: two spellings of an accented letter are two
    /// names.
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

    /// Returns the index of a source, for `append(...)`.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - group: The group that it is said to be of; `nil` if nothing is said, which makes a new
    ///     source one of the ledger's owner.
    /// - Returns: The index.
    package mutating func index(ofSource name: String, group: String? = nil) -> Int {
        if latestIndex < sources.count, Self.isSame(sources[latestIndex].name, name),
            Self.isSame(sources[latestIndex].group, group)
        {
            return latestIndex
        }
        // No name holds a zero.
        let bytes = Array(name.utf8) + (group.map { [0] + $0.utf8 } ?? [])
        latestIndex = indexes[bytes] ?? sources.count
        if latestIndex == sources.count {
            indexes[bytes] = latestIndex
            sources.append(RegisteredSource(name: name, group: group))
        }
        return latestIndex
    }

    /// Returns whether two names have the same bytes, or neither is one.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        // As sequences they would be compared at some 80 instructions a byte.
        let (bytes, otherBytes) = (one.utf8.span, other.utf8.span)
        return bytes.hasSameBytes(as: otherBytes)
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
        if !id.isEmpty { bytes.append(contentsOf: id) }
        bytes.append(contentsOf: payload)
    }

    /// Adds an event of another batch.
    package mutating func append(_ event: Candidate, sourceIndex: Int) {
        append(
            sourceIndex: sourceIndex,
            kind: event.kind,
            form: event.form,
            occurredAt: event.occurredAt,
            id: event.id,
            payload: event.payload
        )
    }

    /// The event at `index`, in the order in which they were added.
    package subscript(index: Int) -> Candidate {
        // Id and payload are bytes of the batch, which must not change as long as they are used.
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

extension EntryBatch.Candidate {
    /// How long its entry will be.
    package var entryByteCount: Int {
        EntryEncoder.byteCount(idCount: id.count, payloadCount: payload.count) ?? 0
    }

    /// Returns whether a stored entry of the same source says the same: time, kind, form and
    /// payload, except for what could not be read.
    ///
    /// The caller has compared the sender's id, if there is one; bit 0 of the form says whether
    /// there is one.
    func hasSameContent(as entry: borrowing EntryView) -> Bool {
        guard occurredAt == entry.occurredAt, kind == entry.kind else { return false }
        if form == entry.form, payload.hasSameBytes(as: entry.payload) { return true }
        guard
            IdentifiedContent.mayDiffer(form, kind: kind)
                || IdentifiedContent.mayDiffer(entry.form, kind: kind)
        else { return false }
        return IdentifiedContent(of: kind, form: form, payload: payload)
            == IdentifiedContent(of: kind, form: entry.form, payload: entry.payload)
    }

    /// Returns the identity digest of the event (Formats, *Identity*).
    func identityDigest(sourceName name: String) -> Digest {
        EntryContent.identityDigest(
            sourceName: name,
            id: id,
            occurredAt: occurredAt,
            kind: kind,
            form: form,
            payload: payload
        )
    }

    /// The content digest's first eight bytes, as a number (Formats, *Identity*).
    var contentDigest: UInt64 {
        EntryContent.digestWord(kind: kind, form: form, id: id, payload: payload)
    }
}

/// Writes entries (Formats, *Entries*).
enum EntryEncoder {
    /// Bytes of an entry before its id, without those of a long length.
    private static let headerByteCount = EntryView.minimumByteCount

    /// Returns how many bytes an entry takes, or `nil` if that is more than an entry may have.
    static func byteCount(idCount: Int, payloadCount: Int) -> Int? {
        let short = headerByteCount + (idCount > 0 ? 1 + idCount : 0) + payloadCount
        let count = short > 255 ? short + 2 : short
        return count <= EntryView.maximumByteCount ? count : nil
    }

    /// Writes the entry of a candidate.
    ///
    /// - Parameters:
    ///   - candidate: The event.
    ///   - count: What `byteCount(idCount:payloadCount:)` says.
    ///   - source: The number of its source.
    ///   - recordedAt: Milliseconds since 1970.
    ///   - nonce: Eight random bytes.
    ///   - output: Memory with room for as many bytes.
    @inline(__always)
    static func encode(
        _ candidate: EntryBatch.Candidate,
        byteCount count: Int,
        source: UInt32,
        recordedAt: Int64,
        nonce: UInt64,
        to output: inout OutputSpan<UInt8>
    ) {
        let isShort = count <= 255
        let length = isShort ? UInt64(count) : UInt64(count) << 8
        let kind = UInt64(candidate.kind) | UInt64(candidate.form) << 8 | UInt64(source) << 16
        output.append(littleEndian: length, byteCount: isShort ? 1 : 3)
        output.append(littleEndian: kind, byteCount: 5)
        output.append(littleEndian: UInt64(bitPattern: candidate.occurredAt), byteCount: 6)
        output.append(littleEndian: UInt64(bitPattern: recordedAt), byteCount: 6)
        output.append(littleEndian: nonce, byteCount: 8)
        if !candidate.id.isEmpty {
            output.append(UInt8(candidate.id.count))
            output.append(contentsOf: candidate.id)
        }
        output.append(contentsOf: candidate.payload)
    }
}

/// The part of an event's form and payload that its identity covers: all but the members that a
/// reader of other programs' formats could not read (Formats, *Supplement*).
struct IdentifiedContent: Hashable {
    /// Bits of the form byte: what the payload begins with, and the frame of the rest.
    private static let offsetBit: UInt8 = 0x02
    private static let sequenceBit: UInt8 = 0x04
    private static let actorBit: UInt8 = 0x08
    private static let frameBits: UInt8 = 0x30
    private static let frameShift: UInt8 = 4

    /// Bits of the byte that a supplement begins with.
    private static let extraBit: UInt8 = 0x04
    private static let countBits: UInt8 = 0x78
    private static let countShift: UInt8 = 3
    private static let unreadBit: UInt8 = 0x80
    private static let innerFrameBits: UInt8 = 0x03
    private static let finerTimeBytes = 4

    /// The form.
    let form: UInt8

    /// The payload.
    let payload: [UInt8]

    /// Takes a form and a payload as they are.
    private init(_ form: UInt8, _ payload: [UInt8]) {
        self.form = form
        self.payload = payload
    }

    /// Whether a payload of a form may have something that is not part of the event's identity.
    static func mayDiffer(_ form: UInt8, kind: UInt8) -> Bool {
        form & frameBits == frameBits && kind != Tombstone.kind
    }

    /// Takes out what could not be read; a payload without it, or a damaged one, stays as it is.
    init(of kind: UInt8, form: UInt8, payload: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count)
        for position in payload.indices { bytes.append(payload[position]) }
        guard Self.mayDiffer(form, kind: kind),
            let content = Self.withoutUnread(form, bytes)
        else {
            self.init(form, bytes)
            return
        }
        self = content
    }

    private static func withoutUnread(_ form: UInt8, _ payload: [UInt8]) -> IdentifiedContent? {
        var start = 0
        if form & offsetBit != 0 { start += 2 }
        if form & sequenceBit != 0 { start += 8 }
        if form & actorBit != 0 {
            guard start < payload.count else { return nil }
            start += 1 + Int(payload[start])
        }
        guard start < payload.count, payload[start] & unreadBit != 0 else { return nil }
        let first = payload[start] & ~unreadBit
        var position = start + 1 + Int((first & countBits) >> countShift) * finerTimeBytes
        if first & extraBit != 0 {
            guard let extra = part(payload, at: position) else { return nil }
            position = extra.upperBound
        }
        guard let unread = part(payload, at: position) else { return nil }
        let content = payload[unread.upperBound...]
        guard first & ~innerFrameBits == 0 else {
            let said = [first] + payload[start + 1..<unread.lowerBound]
            return IdentifiedContent(form, Array(payload[..<start]) + said + content)
        }
        // Nothing else is in the supplement: the content stands alone.
        let frame = (first & innerFrameBits) << frameShift
        return IdentifiedContent(form & ~frameBits | frame, Array(payload[..<start]) + content)
    }

    /// Returns the range of a part and of its length before it; `nil` if it is not all there.
    private static func part(_ payload: [UInt8], at start: Int) -> Range<Int>? {
        var (position, length, shift) = (start, 0, 0)
        while position < payload.count, shift <= 14 {
            let byte = payload[position]
            position += 1
            length |= Int(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            return position + length <= payload.count ? start..<position + length : nil
        }
        return nil
    }
}
