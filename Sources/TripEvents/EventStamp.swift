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
