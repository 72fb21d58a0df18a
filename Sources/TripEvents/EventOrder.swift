/// Where an event stands among the events of its source, whatever order they arrived in: by
/// (`occurred_at`, rank of its kind, sequence with "none" first, identity digest).
public struct EventOrder: Hashable, Comparable, Sendable {
    /// When it happened, by the source's clock.
    public let occurredAt: Timestamp

    /// The rank of its kind; the highest for kinds that this version does not know.
    public let rank: UInt8

    /// The sender's counter, if it gave one.
    public let sequence: UInt64?

    /// The digest of what makes the event the event it is.
    public let identity: IdentityDigest

    /// Creates a place in the order.
    public init(
        occurredAt: Timestamp,
        kind: EventKind?,
        sequence: UInt64?,
        identity: IdentityDigest
    ) {
        self.occurredAt = occurredAt
        self.rank = kind?.rank ?? .max
        self.sequence = sequence
        self.identity = identity
    }

    /// Creates the place of an event.
    public init(_ event: TripEvent, identity: IdentityDigest) {
        self.init(
            occurredAt: event.occurredAt,
            kind: event.body.kind,
            sequence: event.sequence,
            identity: identity
        )
    }

    /// Returns whether one event comes before another.
    public static func < (left: EventOrder, right: EventOrder) -> Bool {
        if left.occurredAt != right.occurredAt { return left.occurredAt < right.occurredAt }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.sequence != right.sequence {
            guard let leftSequence = left.sequence else { return true }
            guard let rightSequence = right.sequence else { return false }
            return leftSequence < rightSequence
        }
        return left.identity < right.identity
    }
}
