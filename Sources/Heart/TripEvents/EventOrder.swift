/// The place of an event among the events of its source, independent of the order of arrival: by
/// (`occurred_at`, rank of its kind, sequence with "none" first, identity digest).
public struct EventOrder: Hashable, Comparable, Sendable {
    /// When it happened, by the source's clock.
    public let occurredAt: Timestamp

    /// The rank of its kind; the highest for kinds that this version does not know.
    public let rank: UInt8

    /// The sender's counter, if it gave one.
    public let sequence: UInt64?

    /// The identity digest of the event.
    public let identity: IdentityDigest

    /// Creates a place in the order.
    public init(
        occurredAt: Timestamp,
        kind: EventKind?,
        sequence: UInt64?,
        identity: IdentityDigest
    ) {
        self.init(
            occurredAt: occurredAt,
            rank: kind?.rank ?? .max,
            sequence: sequence,
            identity: identity
        )
    }

    /// Creates a place in the order.
    package init(
        occurredAt: Timestamp,
        rank: UInt8,
        sequence: UInt64?,
        identity: IdentityDigest
    ) {
        self.occurredAt = occurredAt
        self.rank = rank
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

/// The SHA-256 digest of the parts that identify an event (Formats, *Identity*).
///
/// The shell computes it; the core only compares it and derives trip ids from it.
public struct IdentityDigest: Hashable, Comparable, Sendable {
    /// The digest's bytes, eight to a word, first byte highest, so that words compare as bytes do.
    public let words: InlineArray<4, UInt64>

    /// Creates a digest from its four words, first byte highest.
    public init(words: InlineArray<4, UInt64>) {
        self.words = words
    }

    /// Returns whether two digests are the same.
    public static func == (left: IdentityDigest, right: IdentityDigest) -> Bool {
        (0..<4).allSatisfy { left.words[$0] == right.words[$0] }
    }

    /// Returns whether one digest comes before another, byte by byte.
    public static func < (left: IdentityDigest, right: IdentityDigest) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }

    /// Feeds the digest's first word to a hasher: it is as random as any hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words[0])
    }
}
