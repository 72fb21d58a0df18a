/// A valid event in the form in which a log appends it, in buffers that the next line reuses.
public struct EventCandidate: Sendable {
    /// What happened.
    public internal(set) var kind = EventKind.fixRecorded

    /// How the payload is written.
    public internal(set) var form = PayloadForm(rawValue: 0)

    /// The source's name.
    ///
    /// The same `String` is kept as long as lines name the same source.
    public internal(set) var source = ""

    /// The group that the source is said to be of; `nil` if nothing is said.
    public internal(set) var group: String?

    /// The number, from 0, that the reader gave this source and stated group when it met them: a
    /// caller can keep what it looked up for the name under this number.
    ///
    /// No other source gets it; a source may get another number after many others.
    public internal(set) var sourceNumber = -1

    /// The bytes of ``source``.
    private var sourceBytes: [UInt8] = []

    /// The bytes of ``group``, if the event itself names it, and not the reader for all.
    private var groupBytes: [UInt8] = []

    /// The sources so far, by the bytes of their names and of the groups that they are said to be
    /// of.
    private var sources: [SourceName: (number: Int, name: String, group: String?)] = [:]

    /// How many sources have got a number.
    private var sourceCount = 0

    /// How many sources are remembered, so that memory does not grow with their number.
    private static let mostSources = 1 << 16

    /// When it happened, by the source's clock.
    public internal(set) var occurredAt = Timestamp(milliseconds: 0)

    /// The UTF-8 of the sender's id; meaningless unless the form says that there is one.
    public internal(set) var id: [UInt8] = []

    /// The payload.
    public internal(set) var payload: [UInt8] = []

    /// The names of the event's extra members, as they were sent.
    public internal(set) var extraNames: [String] = []

    /// Those of them that the sender did not call extra.
    public internal(set) var strayNames: [String] = []

    /// Bytes of an entry besides its id and payload, and its longest length (Formats, *Entries*).
    private static let headerBytes = 26
    private static let maximumShortEntryBytes = 255
    static let maximumEntryBytes = 65_535

    /// How long the entry will be.
    public var entryBytes: Int {
        let short = Self.headerBytes + payload.count + (form.hasID ? 1 + id.count : 0)
        return short <= Self.maximumShortEntryBytes ? short : short + 2
    }

    /// Returns whether part of a line, or of a text, is the name of the source that the candidate
    /// has already.
    @inline(__always)
    func hasSource(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        sourceNumber >= 0 && sourceBytes.count == range.count
            && sourceBytes.span.hasSameBytes(at: 0, as: bytes, in: range)
    }

    /// Whether the event itself names its group.
    @inline(__always)
    var namesGroup: Bool { !groupBytes.isEmpty }

    /// Returns whether part of a line is the name of the group that the event itself names.
    @inline(__always)
    func namesGroup(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        groupBytes.count == range.count && !groupBytes.isEmpty
            && groupBytes.span.hasSameBytes(at: 0, as: bytes, in: range)
    }

    /// Lets the next event look for its source, whatever it is called.
    mutating func forgetSource() {
        sourceNumber = -1
    }

    /// Sets the source by the bytes of its name, valid UTF-8, and the group that it is said to be
    /// of.
    ///
    /// - Throws: `Rejection` if no source may be called that.
    mutating func setSource(_ name: [UInt8], group: NamedGroup) throws(Rejection) {
        // No name holds a zero.
        let key = SourceName(bytes: group.name.map { name + [0] + $0.utf8 } ?? name)
        if let known = sources[key] {
            (sourceNumber, source, self.group) = known
        } else {
            try Self.checkSource(name)
            if sources.count == Self.mostSources { sources.removeAll(keepingCapacity: true) }
            source = String(decoding: name, as: UTF8.self)
            self.group = group.name
            sourceNumber = sourceCount
            sources[key] = (sourceNumber, source, group.name)
            sourceCount += 1
        }
        sourceBytes = name
        groupBytes = group.isInLine ? Array((group.name ?? "").utf8) : []
    }

    static func checkSource(_ name: [UInt8]) throws(Rejection) {
        let member = EnvelopeName.source.jsonName
        try TextRule.source.check(name, of: member)
        guard !name.elementsEqual(TripEvent.ledgerSourceName.utf8) else {
            throw Rejection(
                .reservedSource,
                field: member,
                sentence: "\(member) is \"\(TripEvent.ledgerSourceName)\", which is how a ledger "
                    + "shows its own entries; give the source another name."
            )
        }
    }

    /// Throws if the entry would be longer than entries may be.
    func checkLength() throws(Rejection) {
        guard entryBytes <= Self.maximumEntryBytes else {
            throw Rejection(
                .entryTooLong,
                sentence: "The event needs \(entryBytes) bytes; \(Self.maximumEntryBytes) are "
                    + "allowed."
            )
        }
    }

    /// The event.
    ///
    /// - Throws: `PayloadDamage` if the payload was changed.
    public func event() throws(PayloadDamage) -> TripEvent {
        try TripEvent(
            decoding: payload.span,
            kind: kind.rawValue,
            form: form,
            source: source,
            group: group,
            occurredAt: occurredAt,
            id: form.hasID ? String(decoding: id, as: UTF8.self) : nil
        )
    }
}

/// The group that an event's source is said to be of.
struct NamedGroup {
    /// Its name; `nil` if nothing is said.
    var name: String?

    /// Whether the event itself names it, and not the reader for all events.
    var isInLine: Bool
}

/// The bytes of a source's name: names that Unicode takes for equal are different sources.
private struct SourceName: Hashable, Sendable {
    let bytes: [UInt8]

    static func == (one: SourceName, other: SourceName) -> Bool {
        one.bytes.count == other.bytes.count
            && one.bytes.span.hasSameBytes(at: 0, as: other.bytes.span, in: other.bytes.indices)
    }

    /// Hashes eight bytes at a time; an array would hash each byte by itself.
    func hash(into hasher: inout Hasher) {
        var position = 0
        while position + 8 <= bytes.count {
            hasher.combine(bytes.span.word(at: position))
            position += 8
        }
        let rest = bytes.count - position
        hasher.combine(bytes.span.littleEndian(at: position, bytes: rest))
    }
}
