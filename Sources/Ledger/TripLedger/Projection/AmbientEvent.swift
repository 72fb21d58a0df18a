import Projections
import RowCoding
import TripEvents
import TripTracking

/// An event that concerns trackers of other sources than its own, with its place in event order.
///
/// Places, rules, and decisions about a trip whose recorder died concern all sources, or all of a
/// group; a split or an exclusion concerns the source of its trip.
struct AmbientEvent: Hashable, Sendable {
    /// The kinds of events that concern all sources.
    static let kinds: Set<EventKind> = [
        .placeSaved, .placeRemoved, .rulesAdopted, .recoveryDecided, .tripSplit,
        .stretchExcluded,
    ]

    private static let formatVersion: UInt8 = 5

    /// Its place in event order: a split or an exclusion stands at its instant, before all events
    /// of a trip.
    let mark: EventMark

    /// The identity digest of the event.
    let identity: IdentityDigest

    /// The number of the source that reported it, whose tracker is given it anyway.
    let source: UInt32

    /// The group of that source, which is the only one that it concerns; `nil` for all, if it is
    /// the ledger owner's.
    let group: String?

    /// Its kind.
    let kind: EventKind

    /// The only source that it concerns; `nil` for all.
    let appliesTo: String?

    /// Its details if it is a split or an exclusion.
    var split: AmbientSplit?

    /// Creates the mark of a stored event, or returns `nil` if it concerns its own source only.
    init?(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) {
        guard let kind = stored.event.body.kind, Self.kinds.contains(kind) else { return nil }
        // No tracker looks at imported places.
        if case .placeSaved(let place) = stored.event.body, place.importedFrom != nil {
            return nil
        }
        self.source = source
        group = stored.event.group
        self.kind = kind
        identity = stored.identity
        switch stored.event.body {
        case .rulesAdopted(let adopted):
            self.mark = mark
            appliesTo = adopted.appliesTo
        case .tripSplit(let split):
            self.mark = EventMark(startOf: split.splitAt.timestamp, position: mark.position)
            appliesTo = nil
            self.split = AmbientSplit(of: split.trip, stored)
        case .stretchExcluded(let exclusion):
            self.mark = EventMark(startOf: exclusion.from.timestamp, position: mark.position)
            appliesTo = nil
            split = AmbientSplit(of: exclusion.trip, stored, until: exclusion.to.timestamp)
        default:
            self.mark = mark
            appliesTo = nil
        }
    }

    /// Reads a row of the table.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        mark = try EventMark(from: &reader)
        identity = try reader.readIdentity()
        guard let source = UInt32(exactly: try reader.readUInt64()),
            let byte = UInt8(exactly: try reader.readUInt64()),
            let kind = EventKind(rawValue: byte)
        else { throw .invalidValue }
        self.source = source
        self.kind = kind
        group = try reader.readOptionalText()
        appliesTo = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readText()
        }
        split = try reader.readOptional(AmbientSplit.init(from:))
        try reader.finish()
    }

    /// The row of the table.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        mark.write(to: &writer)
        writer.write(identity)
        writer.write(UInt64(source))
        writer.write(UInt64(kind.rawValue))
        writer.write(group) { $0.write($1) }
        writer.write(appliesTo) { $0.write($1) }
        writer.write(split) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// The key of the row.
    var key: [UInt8] { ViewKey.ambient(mark, identity) }

    /// The decision for trackers, if it is a split or an exclusion that takes effect.
    var standing: StandingDecision? {
        guard let split, split.source != nil else { return nil }
        if let until = split.until {
            return .exclusion(StandingExclusion(from: mark.occurredAt, to: until))
        }
        return .split(
            StandingSplit(
                trip: split.trip,
                made: split.made,
                at: mark.occurredAt,
                order: split.order,
                recordedAt: split.recordedAt
            )
        )
    }

    /// Returns whether it comes before another one in event order.
    func precedes(_ other: AmbientEvent) -> Bool {
        EventMark.precedes(mark, other.mark) ?? (identity < other.identity)
    }

    /// Whether it concerns every source.
    var isForAll: Bool { split == nil && appliesTo == nil && group == nil }

    /// The only source that it concerns, if it concerns only one.
    var onlySource: String? { split.map(\.source) ?? appliesTo }

    /// Returns whether the tracker of a source has to be given it besides the source's own events.
    func concerns(_ source: UInt32, _ tracker: Tracker) -> Bool {
        concerns(source, named: tracker.source, of: tracker.group)
    }

    /// Returns whether the tracker of a source of a name and group has to be given it.
    func concerns(_ source: UInt32, named name: String, of group: String?) -> Bool {
        if let split { return split.source.hasSameBytes(as: name) }
        return source != self.source && (appliesTo == nil || appliesTo.hasSameBytes(as: name))
            && (self.group == nil || self.group.hasSameBytes(as: group))
    }
}

/// A decision about a trip at an instant of it, as its source's tracker takes it.
enum StandingDecision: Hashable, Sendable {
    case split(StandingSplit)
    case exclusion(StandingExclusion)
}

/// The details of a split, or of an exclusion, beside its place in event order.
struct AmbientSplit: Hashable, Sendable {
    /// The trip that was split.
    let trip: TripID

    /// The id of the second trip; of an exclusion, an id that no trip has.
    let made: TripID

    /// The end of the stretch that an exclusion is about; `nil` for a split.
    let until: Timestamp?

    /// Its place among all decisions.
    let order: EventOrder

    /// When the ledger stored it.
    let recordedAt: Timestamp

    /// The source that measured the trip, whose tracker is given the split; `nil` if the split was
    /// taken back, or if no source measured the trip.
    var source: String?

    /// Creates a split or an exclusion from its event alone.
    init(of trip: TripID, _ stored: StoredEvent, until: Timestamp? = nil) {
        self.trip = trip
        self.until = until
        made = TripID(openedBy: stored.identity)
        order = EventOrder(stored.event, identity: stored.identity)
        recordedAt = stored.recordedAt
    }

    /// Reads a split.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try reader.readTripID()
        made = try reader.readTripID()
        until = try reader.readOptionalTimestamp()
        order = try reader.readEventOrder()
        recordedAt = try reader.readTimestamp()
        source = try reader.readOptionalText()
    }

    /// Writes the split.
    func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(made)
        writer.write(until) { $0.write($1) }
        writer.write(order)
        writer.write(recordedAt)
        writer.write(source) { $0.write($1) }
    }
}

/// Reads the events for all sources in event order, some at a time: there may be a great many.
struct AmbientCursor {
    private static let mostInPage = 256

    /// The events that come after those that were read so far.
    private var keys: KeyRange
    private var page: ArraySlice<KeyedRow> = []
    private var isLastPage = false

    /// How many events are read next: mostly only the first is wanted.
    private var pageSize = 2

    /// Prepares to read the events from a key on; `nil` for all.
    init(from key: [UInt8]?) {
        keys = KeyRange(
            from: key ?? [0],
            upTo: Array(repeating: .max, count: ViewKey.ambientByteCount + 1)
        )
    }

    /// Returns the first event, or `nil`.
    func first(in rows: ViewBuffer) throws -> AmbientEvent? {
        try rows.rows(in: keys, limit: 1).first.map { try AmbientEvent(decoding: $0.value) }
    }

    /// Returns the next event, or `nil`.
    mutating func next(in rows: ViewBuffer) throws -> AmbientEvent? {
        if page.isEmpty, !isLastPage {
            page = try rows.rows(in: keys, limit: pageSize)[...]
            isLastPage = page.count < pageSize
            pageSize = min(4 * pageSize, Self.mostInPage)
            if let last = page.last { keys.from = last.key + [0] }
        }
        return try page.popFirst().map { try AmbientEvent(decoding: $0.value) }
    }
}
