import Projections
import RowCoding
import TripEvents
import TripTracking

/// Where an event stands that concerns the trackers of all sources, whichever source reported it:
/// a place, rules, or what the driver decided about a trip whose recorder died; or a split, which
/// concerns the source of its trip.
struct AmbientEvent: Hashable, Sendable {
    /// The kinds of events that concern all sources.
    static let kinds: Set<EventKind> = [
        .placeSaved, .placeRemoved, .rulesAdopted, .recoveryDecided, .tripSplit,
    ]

    private static let formatVersion: UInt8 = 2

    /// Where it stands in event order: a split at its instant, before all events of a trip.
    let mark: EventMark

    /// The number of the source that reported it, whose tracker is given it anyway.
    let source: UInt32

    /// Its kind.
    let kind: EventKind

    /// The only source that it concerns; `nil` for all.
    let appliesTo: String?

    /// What is known of it if it is a split.
    var split: AmbientSplit?

    /// Creates the mark of a stored event, or returns `nil` if it concerns its own source only.
    init?(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) {
        guard let kind = stored.event.body.kind, Self.kinds.contains(kind) else { return nil }
        self.source = source
        self.kind = kind
        switch stored.event.body {
        case .rulesAdopted(let adopted):
            self.mark = mark
            appliesTo = adopted.appliesTo
        case .tripSplit(let split):
            self.mark = EventMark(
                occurredAt: split.splitAt.timestamp,
                rank: 0,
                sequence: nil,
                position: mark.position
            )
            appliesTo = nil
            self.split = AmbientSplit(split, stored)
        default:
            self.mark = mark
            appliesTo = nil
        }
    }

    /// Reads a row of the table.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        mark = try EventMark(from: &reader)
        guard let source = UInt32(exactly: try reader.readUInt64()),
            let byte = UInt8(exactly: try reader.readUInt64()),
            let kind = EventKind(rawValue: byte)
        else { throw .invalidValue }
        self.source = source
        self.kind = kind
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
        writer.write(UInt64(source))
        writer.write(UInt64(kind.rawValue))
        writer.write(appliesTo) { $0.write($1) }
        writer.write(split) { $1.write(to: &$0) }
        return writer.bytes
    }

    /// The key of the row.
    var key: [UInt8] { ViewKey.ambient(mark.occurredAt, position: mark.position) }

    /// What trackers are told if it is a split that takes effect.
    var standingSplit: StandingSplit? {
        guard let split, let target = split.target else { return nil }
        return StandingSplit(
            trips: target.trips,
            made: split.made,
            at: mark.occurredAt,
            recordedAt: split.recordedAt
        )
    }

    /// Returns whether the tracker of a source has to be given it besides the source's own events.
    func concerns(_ source: UInt32, named name: String) -> Bool {
        if let split { return split.target?.source == name }
        return source != self.source && (appliesTo == nil || appliesTo == name)
    }
}

/// What is known of a split beside its place in event order.
struct AmbientSplit: Hashable, Sendable {
    /// Where a split that stands takes effect.
    struct Target: Hashable, Sendable {
        /// The source whose tracker is given it: the one that measured the trip.
        var source: String

        /// The trips that it divides.
        var trips: [TripID]
    }

    /// The trip that was split.
    let trip: TripID

    /// The id of the second trip.
    let made: TripID

    /// When the ledger stored it.
    let recordedAt: Timestamp

    /// Where it takes effect; `nil` if it was taken back, or if no source measured the trip.
    var target: Target?

    /// Creates a split of which only the event is known.
    init(_ split: TripSplit, _ stored: StoredEvent) {
        trip = split.trip
        made = TripID(openedBy: stored.identity)
        recordedAt = stored.recordedAt
    }

    /// Reads a split.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try reader.readTripID()
        made = try reader.readTripID()
        recordedAt = try reader.readTimestamp()
        target = try reader.readOptional { reader throws(RowCodingError) in
            let source = try reader.readText()
            var trips: [TripID] = []
            for _ in 0..<(try reader.readAmount()) {
                trips.append(try reader.readTripID())
            }
            return Target(source: source, trips: trips)
        }
    }

    /// Writes the split.
    func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(made)
        writer.write(recordedAt)
        writer.write(target) { writer, target in
            writer.write(target.source)
            writer.write(UInt64(target.trips.count))
            for trip in target.trips {
                writer.write(trip)
            }
        }
    }
}
