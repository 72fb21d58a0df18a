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
