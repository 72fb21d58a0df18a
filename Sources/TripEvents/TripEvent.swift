/// Something that a source reported or a person decided; it never changes.
public struct TripEvent: Hashable, Sendable {
    /// The device, recorder or program that reports it, 1 … 128 bytes.
    public var source: String

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

    /// Creates an event.
    public init(
        source: String,
        occurredAt: Timestamp,
        utcOffset: UTCOffset? = nil,
        id: String? = nil,
        sequence: UInt64? = nil,
        actor: String? = nil,
        body: EventBody
    ) {
        self.source = source
        self.occurredAt = occurredAt
        self.utcOffset = utcOffset
        self.id = id
        self.sequence = sequence
        self.actor = actor
        self.body = body
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

    /// Creates a stamp.
    @inlinable
    public init(
        occurredAt: Timestamp,
        utcOffset: UTCOffset? = nil,
        recordedAt: Timestamp,
        position: UInt64
    ) {
        self.occurredAt = occurredAt
        self.utcOffset = utcOffset
        self.recordedAt = recordedAt
        self.position = position
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

    /// Whether the content is gone and only the entry's hash is left, which is the payload.
    public var isErased: Bool { kind == Self.erasedKind }

    /// What the entry was before its content went, if that is known.
    public var formerKind: EventKind? {
        isErased ? EventKind(rawValue: form) : nil
    }
}
