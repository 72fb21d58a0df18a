/// Something that a source reported or a person decided; it never changes.
public struct TripEvent: Hashable, Sendable {
    /// The device, recorder or program that reports it, 1 … 128 bytes.
    public var source: String

    /// The group of sources that this one belongs to, 1 … 64 bytes; `nil` for a source of the
    /// ledger's owner, and for a sender that does not say it.
    ///
    /// It is a fact about the source, which the ledger stores once (``SourceRegistered``), and no
    /// part of the event.
    public var group: String?

    /// When it happened, by the source's clock.
    public var occurredAt: Timestamp

    /// How far the source's local time was from UTC, if it said.
    public var utcOffset: UTCOffset?

    /// The sender's name for the event, 1 … 255 bytes, if it gave one.
    public var id: String?

    /// The sender's counter, if it gave one.
    public var sequence: UInt64?

    /// The person who decided, 1 … 200 bytes, where a person did.
    public var actor: String?

    /// What happened.
    public var body: EventBody

    /// The sender's further details: times to the nanosecond, members of its own.
    public var supplement = EventSupplement()

    /// Creates an event.
    public init(
        source: String,
        group: String? = nil,
        occurredAt: Timestamp,
        utcOffset: UTCOffset? = nil,
        id: String? = nil,
        sequence: UInt64? = nil,
        actor: String? = nil,
        body: EventBody
    ) {
        self.source = source
        self.group = group
        self.occurredAt = occurredAt
        self.utcOffset = utcOffset
        self.id = id
        self.sequence = sequence
        self.actor = actor
        self.body = body
    }
}

extension String? {
    /// Returns whether two names of groups are the same, byte by byte.
    ///
    /// Names that Unicode takes for equal are different groups. An event without a group is the
    /// ledger owner's.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.utf8.elementsEqual(other.utf8)
    }
}

/// When an event happened and where it stands in the log: what the core needs to know beside its
/// content.
public struct EventStamp: Hashable, Sendable {
    /// When it happened, by the source's clock.
    public var occurredAt: Timestamp

    /// The source's offset from UTC, if it said.
    public var utcOffset: UTCOffset?

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Its position in the log; gapless, zero-based.
    public var position: UInt64

    /// Whether its source belongs to a group, and is not the ledger owner's.
    public var isOfGroup: Bool

    /// Creates a stamp.
    @inlinable
    public init(
        occurredAt: Timestamp,
        utcOffset: UTCOffset? = nil,
        recordedAt: Timestamp,
        position: UInt64,
        isOfGroup: Bool = false
    ) {
        self.occurredAt = occurredAt
        self.utcOffset = utcOffset
        self.recordedAt = recordedAt
        self.position = position
        self.isOfGroup = isOfGroup
    }
}

/// An event of a kind, frame or version that this program does not know, byte for byte.
public struct UnknownEvent: Hashable, Sendable {
    /// The entry's kind byte.
    public var kind: UInt8

    /// The entry's form byte.
    public var form: UInt8

    /// The entry's payload, time offset, sequence and actor included.
    public var payload: [UInt8]

    /// Creates an unknown event from what its entry holds.
    public init(kind: UInt8, form: UInt8, payload: [UInt8]) {
        self.kind = kind
        self.form = form
        self.payload = payload
    }

    /// The kind byte of an entry whose content is gone: erased, or withheld from this copy.
    static let erasedKind: UInt8 = 0x00

    /// The names of types whose content is gone.
    static let erasedName = "erased"
    static let withheldName = "withheld"
    static let typeNamesOfGone = [erasedName, withheldName]

    /// Whether the content is gone and only the entry's hash is left, which is the payload.
    public var isErased: Bool { kind == Self.erasedKind }

    /// Whether the content is in the log that this is a copy of, and was withheld from the copy.
    public var isWithheld: Bool { isErased && form == Self.withheldForm }

    /// The form byte of an entry that was withheld, whose kind is not told.
    private static let withheldForm: UInt8 = 0xFF

    /// What the entry was before its content went, if that is known.
    public var formerKind: EventKind? {
        isErased ? EventKind(rawValue: form) : nil
    }
}

extension TripEvent {
    /// The name that people see as the source of the ledger's own entries, which have none; no
    /// sender may have it.
    public static let ledgerSourceName = "ledger"

    /// The source's name for people.
    public var shownSource: String { source.isEmpty ? Self.ledgerSourceName : source }

    /// Checks the name of a source, which may be one that the ledger does not have yet.
    ///
    /// - Throws: `Rejection` if no source may be called that.
    package static func checkSource(named name: String) throws(Rejection) {
        try EventCandidate.checkSource(Array(name.utf8))
    }

    /// Checks the name of a group of sources.
    ///
    /// - Throws: `Rejection` if no group may be called that.
    package static func checkGroup(named name: String) throws(Rejection) {
        try TextRule.group.check(name.utf8, of: FieldName.group.jsonName)
    }

    /// Appends the event as one JSON object, without a line end: type, source, group, occurred_at,
    /// id, sequence, actor, then the content in the order of its catalogue, then what is extra.
    ///
    /// An unknown event is written with its bytes in hexadecimal; nothing reads that back.
    public func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        appendJSONMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends the members of that object to one that was begun.
    package func appendJSONMembers(to bytes: inout [UInt8]) {
        append(.type, body.typeName, to: &bytes)
        append(.source, source, to: &bytes)
        if let group {
            JSONWriter.appendName(FieldName.group.jsonName, to: &bytes)
            JSONWriter.append(group.utf8, to: &bytes)
        }
        JSONWriter.appendName(EnvelopeName.occurredAt.jsonName, to: &bytes)
        Self.append(preciseTime, to: &bytes)
        if let id {
            append(.id, id, to: &bytes)
        }
        if let sequence {
            JSONWriter.appendName(EnvelopeName.sequence.jsonName, to: &bytes)
            bytes.append(contentsOf: String(sequence).utf8)
        }
        if let actor {
            append(.actor, actor, to: &bytes)
        }
        appendContentMembers(to: &bytes)
    }

    /// The event as one JSON object.
    public var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The content, without what all events have, as one JSON object.
    public var contentJSON: String {
        var bytes = [UInt8(ascii: "{")]
        appendContentMembers(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the members of the content to an object that was begun.
    package func appendContentMembers(to bytes: inout [UInt8]) {
        if case .unknown(let unknown) = body {
            unknown.appendMembers(to: &bytes)
        } else {
            for field in body.payload?.fields.all ?? [] {
                JSONWriter.appendName(field.name.jsonName, to: &bytes)
                append(field, to: &bytes)
            }
        }
        if let extra = supplement.extraJSON {
            JSONWriter.appendName(EnvelopeName.extra.jsonName, to: &bytes)
            bytes.append(contentsOf: extra)
        }
    }

    /// When it happened, with its offset from UTC, as precisely as it was said.
    package var preciseTime: PreciseTime {
        PreciseTime(
            EventTime(occurredAt, utcOffset: utcOffset),
            nanoseconds: supplement.nanoseconds
        )
    }

    /// Appends what a field of the content holds, a time as precisely as it was said.
    fileprivate func append(_ field: EventFields.Field, to bytes: inout [UInt8]) {
        guard case .time(let time) = field.value else {
            return JSONWriter.append(field.value, to: &bytes)
        }
        let nanoseconds = supplement.nanoseconds(of: field.name.rawValue)
        Self.append(PreciseTime(time, nanoseconds: nanoseconds), to: &bytes)
    }

    fileprivate static func append(_ time: PreciseTime, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private func append(_ name: EnvelopeName, _ text: String, to bytes: inout [UInt8]) {
        JSONWriter.appendName(name.jsonName, to: &bytes)
        JSONWriter.append(text.utf8, to: &bytes)
    }
}

extension UnknownEvent {
    fileprivate func appendMembers(to bytes: inout [UInt8]) {
        guard !isErased else {
            if let formerKind {
                JSONWriter.appendName("erased_type", to: &bytes)
                JSONWriter.append(formerKind.name.utf8, to: &bytes)
            }
            JSONWriter.appendName("leaf_hash", to: &bytes)
            appendHexadecimal(to: &bytes)
            return
        }
        JSONWriter.appendName("kind", to: &bytes)
        bytes.append(contentsOf: String(kind).utf8)
        JSONWriter.appendName("form", to: &bytes)
        bytes.append(contentsOf: String(form).utf8)
        JSONWriter.appendName("payload", to: &bytes)
        appendHexadecimal(to: &bytes)
    }

    private func appendHexadecimal(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in payload {
            bytes.append(contentsOf: (byte < 0x10 ? "0" : "").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// What differs between two events with one id, for the receipt of a conflict.
public struct EventDifference: Hashable, Sendable {
    /// The names of the members that differ, in the order in which JSON is written; the id, which
    /// is the same, is never among them.
    public let names: [String]

    /// The name of the member that says when an event happened.
    public static let occurredAt = EnvelopeName.occurredAt.jsonName

    /// The name of the member that says who decided.
    package static let actor = EnvelopeName.actor.jsonName

    /// The name of the member that says which trip an event is about.
    package static let trip = FieldName.trip.jsonName

    /// The name of the member that says when the trip started that an event is about.
    package static let tripStart = FieldName.tripStartedAt.jsonName

    /// Compares two events, text byte by byte.
    public init(_ left: TripEvent, _ right: TripEvent) {
        let leftMembers = Self.members(of: left)
        let rightMembers = Self.members(of: right)
        let order =
            EnvelopeName.allCases.map(\.jsonName) + FieldName.allCases.map(\.jsonName)
            + ["kind", "form", "payload"]
        names = order.filter { leftMembers[$0] != rightMembers[$0] }
    }

    /// Returns the bytes of each member.
    private static func members(of event: TripEvent) -> [String: [UInt8]] {
        var members: [String: [UInt8]] = [:]
        members[EnvelopeName.type.jsonName] = Array((event.body.kind?.name ?? "").utf8)
        members[EnvelopeName.source.jsonName] = Array(event.source.utf8)
        members[EnvelopeName.occurredAt.jsonName] = Array(RFC3339.text(event.preciseTime).utf8)
        members[EnvelopeName.extra.jsonName] = event.supplement.extra?.bytes
        members[EnvelopeName.sequence.jsonName] = event.sequence.map { Array(String($0).utf8) }
        members[EnvelopeName.actor.jsonName] = event.actor.map { Array($0.utf8) }
        for field in event.body.payload?.fields.all ?? [] {
            var bytes: [UInt8] = []
            event.append(field, to: &bytes)
            members[field.name.jsonName] = bytes
        }
        if case .unknown(let unknown) = event.body {
            members["kind"] = [unknown.kind]
            members["form"] = [unknown.form]
            members["payload"] = unknown.payload
        }
        return members
    }
}
