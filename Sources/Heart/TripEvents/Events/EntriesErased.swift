/// Entries lost what they said and kept their places in the log; written by the ledger in the
/// transaction that erases them.
public struct EntriesErased: Hashable, Sendable {
    /// The positions of the entries.
    public var positions: PositionRanges

    /// The RFC 6962 root over the tombstones that stand at these positions, in order of position:
    /// 64 hexadecimal digits.
    ///
    /// It also fixes what a tombstone says beside its leaf hash, so every tombstone belongs to an
    /// event that says who erased what and why.
    public var tombstoneHash: String

    /// The trips that lost events by it and are still there.
    public var erasedFrom: [TripID]?

    /// The commitment to the rows that recognise erased events, and to their key: a keyed hash, 64
    /// hexadecimal digits, which reveals nothing without the key.
    public var memoryHash: String

    /// The position of the previous event that says that entries were erased.
    public var previousErasure: UInt64?

    /// The reason, in the words of the person who decided.
    public var why: String

    /// Creates the content of the event.
    public init(
        positions: PositionRanges,
        tombstoneHash: String,
        erasedFrom: [TripID]? = nil,
        memoryHash: String,
        previousErasure: UInt64? = nil,
        why: String
    ) {
        self.positions = positions
        self.tombstoneHash = tombstoneHash
        self.erasedFrom = erasedFrom
        self.memoryHash = memoryHash
        self.previousErasure = previousErasure
        self.why = why
    }
}

extension EntriesErased: EventPayload {
    static var blank: EntriesErased {
        EntriesErased(
            positions: .blank,
            tombstoneHash: .blank,
            memoryHash: .blank,
            why: .blank
        )
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.why, &why)
        try visitor.required(.positions, &positions)
        try visitor.required(.tombstoneHash, &tombstoneHash)
        try visitor.optional(.erasedFrom, &erasedFrom)
        try visitor.required(.memoryHash, &memoryHash)
        try visitor.optional(.previousErasure, &previousErasure)
    }
}

/// Positions of entries, written as people write page numbers: `12-40,55`.
///
/// Ranges ascend and do not touch each other, and a range of one position is that position alone:
/// a set of positions has one text.
public struct PositionRanges: Hashable, Sendable {
    /// The most bytes that the text may have.
    public static let maximumTextBytes = 4_000

    private static let largestPosition: UInt64 = 1 << 56

    /// The ranges, first position and the one after the last, in ascending order.
    public let ranges: [Range<UInt64>]

    /// Creates a set of ranges that ascend and do not touch each other.
    init(_ ranges: [Range<UInt64>]) {
        self.ranges = ranges
    }

    /// Creates a set of positions, or returns `nil` if there are none or their text is too long.
    public init?(_ positions: RangeSet<UInt64>) {
        ranges = Array(positions.ranges)
        guard let last = ranges.last, last.upperBound - 1 <= Self.largestPosition,
            description.utf8.count <= Self.maximumTextBytes
        else { return nil }
    }

    /// Reads a text, or returns `nil` if it is not exactly what ``description`` writes.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumTextBytes else { return nil }
        var ranges: [Range<UInt64>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard (1...2).contains(ends.count), let first = Self.position(ends[0]),
                let last = Self.position(ends[ends.count - 1]),
                ends.count == 1 || first < last,
                ranges.last.map({ $0.upperBound < first }) ?? true
            else { return nil }
            ranges.append(first..<last + 1)
        }
        self.ranges = ranges
    }

    /// The positions as a set.
    public var set: RangeSet<UInt64> { RangeSet(ranges) }

    /// How many positions there are.
    public var count: UInt64 {
        ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    }

    private static func text(of range: Range<UInt64>) -> String {
        let last = range.upperBound - 1
        return last == range.lowerBound ? "\(last)" : "\(range.lowerBound)-\(last)"
    }

    private static func position(_ text: Substring) -> UInt64? {
        guard let position = UInt64(text), position <= largestPosition, "\(position)" == text
        else { return nil }
        return position
    }
}

extension PositionRanges: CustomStringConvertible {
    /// The positions as a text, such as `12-40,55`.
    public var description: String {
        ranges.map(Self.text).joined(separator: ",")
    }
}
