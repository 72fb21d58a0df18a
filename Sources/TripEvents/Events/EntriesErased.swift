/// Entries lost what they said and kept their places in the log; written by the ledger in the
/// transaction that erases them.
public struct EntriesErased: Hashable, Sendable {
    /// Which entries: their positions.
    public var positions: PositionRanges

    /// The RFC 6962 root over the tombstones that stand at these positions, in order of position:
    /// 64 hexadecimal digits.
    ///
    /// What a tombstone says beside its leaf hash is bound by this, and no tombstone stands without
    /// an event that says who erased what and why.
    public var tombstoneHash: String

    /// The trips that lost events by it and are still there.
    public var erasedFrom: [TripID]?

    /// Why, in the words of the person who decided.
    public var why: String

    /// Creates the content of the event.
    public init(
        positions: PositionRanges,
        tombstoneHash: String,
        erasedFrom: [TripID]? = nil,
        why: String
    ) {
        self.positions = positions
        self.tombstoneHash = tombstoneHash
        self.erasedFrom = erasedFrom
        self.why = why
    }
}

extension EntriesErased: EventPayload {
    static var blank: EntriesErased {
        EntriesErased(positions: .blank, tombstoneHash: .blank, why: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.why, &why)
        try visitor.required(.positions, &positions)
        try visitor.required(.tombstoneHash, &tombstoneHash)
        try visitor.optional(.erasedFrom, &erasedFrom)
    }
}
