import RowCoding
import TripEvents
import TripTracking

/// The tables of the environment `views/`.
///
/// All of it is derived: it can be deleted at any time.
enum ViewTable: String, CaseIterable, Sendable {
    /// `"views"` → ``ViewCursor``; `"sums"` → ``TableSums``.
    case state

    /// Table, section → ``RowSum``: what the rows of each ``ViewSection`` add up to.
    case sums

    /// Source number → ``SourceFold``: the active-trip checkpoint and how far it has read.
    case folds

    /// Source number, end of a trip → ``RewindPoint``.
    case rewinds

    /// When time alone ends the trip in progress of a source, source number → nothing.
    case ends

    /// Place in event order → ``AmbientEvent``.
    case ambient

    /// The trip that was split, the one that was made → the key of the ``AmbientEvent``.
    case splits

    /// Key → row of the book of measured trips and decisions.
    case book

    /// Trip id → order key.
    case trips

    /// Order key → row of the view of trips.
    case tripsInOrder = "trips_in_order"

    /// Hour, short hash of what trips have in common → order key.
    case totals

    /// Order key → sums of the trips that start in an hour and have a vehicle, a client and more in
    /// common.
    case totalsInOrder = "totals_in_order"

    /// Key → order key.
    case routines

    /// Order key → routine, or a trip to which it was applied.
    case routinesInOrder = "routines_in_order"

    /// Trip id → order key.
    case activeTrips = "active_trips"

    /// Order key → what people said about a trip that is going on.
    case activeTripsInOrder = "active_trips_in_order"

    /// Order key → when and where a trip that is over began and ended.
    case tripEnds = "trip_ends"

    /// Source number, beginning of a visit → order key.
    case visits

    /// Order key → stay of a source at a place.
    case visitsInOrder = "visits_in_order"

    /// Source number → ``VisitFold``.
    case visitFolds = "visit_folds"

    /// Number → ``FeedSubject``; zero → ``FeedHead``.
    ///
    /// The feed's tables MUST stay the last ones: sums of tables up to here are compared with the
    /// log.
    case feed

    /// ``FeedSubject`` → ``FeedState``.
    case feedSubjects = "feed_subjects"

    /// Whether its rows follow from the log; those of the feed follow from earlier states of the
    /// views.
    var isOfLog: Bool { self != .feed && self != .feedSubjects }

    /// The number of the table in the keys of ``sums``.
    var number: UInt8 {
        guard let index = Self.allCases.firstIndex(of: self) else {
            preconditionFailure("every table is one of all tables")
        }
        return UInt8(index)
    }
}

/// The keys of tables of the environment `views/`: big-endian, so that LMDB's order is numeric.
enum ViewKey {
    /// The key of `folds`.
    static func source(_ source: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: source >> UInt32(24 - 8 * $0)) }
    }

    /// Returns the source whose key this is.
    static func number(ofSource key: [UInt8]) -> UInt32 {
        key.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The size of a key of `visits_in_order`.
    static let visitByteCount = 16

    /// Returns the source whose key of `visits_in_order` this is.
    static func number(ofVisitInOrder key: [UInt8]) -> UInt32 {
        number(ofSource: Array(key.dropFirst(8)))
    }

    /// The key of `rewinds`; without a position, the lowest key at that instant.
    static func rewind(_ source: UInt32, at instant: Timestamp, position: UInt64 = 0) -> [UInt8] {
        var bytes = Self.source(source)
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        bytes.append(bigEndian: position)
        return bytes
    }

    /// The key of `ends`; without a source, the lowest key at that instant.
    static func end(at instant: Timestamp, of source: UInt32? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: instant.milliseconds) ^ 1 << 63)
        return bytes + (source.map { Self.source($0) } ?? [])
    }

    /// Returns the instant and the source whose key of `ends` this is.
    static func end(of key: [UInt8]) -> (at: Timestamp, source: UInt32) {
        let bits = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let instant = Timestamp(milliseconds: Int64(bitPattern: bits ^ 1 << 63))
        return (instant, number(ofSource: Array(key.dropFirst(8))))
    }

    /// How many bytes the keys of `ambient` have at most.
    static let ambientByteCount = 50

    /// The key of `ambient`, so that LMDB's order is event order; without the digest, a key before
    /// those of all events that only the digest sets apart.
    static func ambient(_ mark: EventMark, _ identity: IdentityDigest? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ambientByteCount)
        bytes.append(bigEndian: UInt64(bitPattern: mark.occurredAt.milliseconds) ^ 1 << 63)
        bytes.append(mark.rank)
        bytes.append(mark.sequence == nil ? 0 : 1)
        if let sequence = mark.sequence { bytes.append(bigEndian: sequence) }
        guard let identity else { return bytes }
        for index in 0..<4 { bytes.append(bigEndian: identity.words[index]) }
        return bytes
    }

    /// The key of `splits`; without the trip that was made, the beginning of the keys.
    static func split(_ trip: TripID, _ made: TripID? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        for id in [trip] + (made.map { [$0] } ?? []) {
            bytes.append(bigEndian: id.high)
            bytes.append(bigEndian: id.low)
        }
        return bytes
    }

    /// Returns a key as text: two lower-case digits a byte.
    static func hexadecimal(_ key: [UInt8]) -> String {
        key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Keys of a table, from one up to another.
struct ViewKeyRange: Sendable {
    /// All keys.
    static let all = ViewKeyRange()

    /// The first key; `nil` for the first of the table.
    var from: [UInt8]?

    /// The first key beyond the range; `nil` for the end of the table.
    var upTo: [UInt8]?

    init(from: [UInt8]? = nil, upTo: [UInt8]? = nil) {
        self.from = from
        self.upTo = upTo
    }

    /// Returns the keys that lie in another range too.
    func intersection(_ other: ViewKeyRange) -> ViewKeyRange {
        ViewKeyRange(
            from: other.from.map { Self.later(from, $0) } ?? from,
            upTo: other.upTo.map { Self.earlier(upTo, $0) } ?? upTo
        )
    }

    /// Returns the later of two starts.
    static func later(_ start: [UInt8]?, _ other: [UInt8]) -> [UInt8] {
        start.map { $0.lexicographicallyPrecedes(other) ? other : $0 } ?? other
    }

    /// Returns the earlier of two ends.
    static func earlier(_ end: [UInt8]?, _ other: [UInt8]) -> [UInt8] {
        end.map { $0.lexicographicallyPrecedes(other) ? $0 : other } ?? other
    }

    /// Returns whether a key is not before the start.
    func begins(before key: Span<UInt8>) -> Bool {
        from.map { !Self.precedes(key, $0) } ?? true
    }

    /// Returns whether a key is before the end.
    func ends(after key: Span<UInt8>) -> Bool {
        upTo.map { Self.precedes(key, $0) } ?? true
    }

    private static func precedes(_ key: Span<UInt8>, _ other: [UInt8]) -> Bool {
        for index in 0..<min(key.count, other.count) where key[index] != other[index] {
            return key[index] < other[index]
        }
        return key.count < other.count
    }
}
