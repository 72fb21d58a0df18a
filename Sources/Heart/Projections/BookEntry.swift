import RowCoding
package import TripEvents
import TripTracking

/// The book's entry for one trip id, beside its decisions, each of which has a row of its own: the
/// trip as measured, if there is one, and the facts about the decisions that are needed without
/// reading them.
struct BookEntry: Hashable, Sendable {
    private static let formatVersion: UInt8 = 10

    /// The most decisions that are folded again with each commit; trips with more are booked once,
    /// at the end of a run.
    private static let fewDecisions = 32

    /// The trip's id.
    let id: TripID

    /// The trip as the tracker derives it; `nil` if there is none with this id.
    var measured: Trip?

    /// How many decisions name the trip.
    private(set) var filedCount = 0

    /// How many decisions are attached to the trip because the trips that they name do not exist
    /// any more.
    var adoptedCount = 0

    /// Whether a person reported the trip.
    private(set) var isReported = false

    /// The group of the source by which that person reported it.
    private(set) var reportedIn: String?

    /// The trip of which this one is the second part, if a person's split that makes it stands.
    private(set) var splitFrom: TripID?

    /// The group of the source that split it.
    private var splitIn: String?

    /// Whether merges or splits tie the trip to others, whether they stand or not.
    private(set) var isTied = false

    /// Whether people split the trip or excluded a stretch of it, whether that stands or not.
    private(set) var isCut = false

    /// The places in event order of the last decisions that restore the trip: one for each group
    /// whose sources have made any, nearly always one or none.
    private(set) var restorations: [Restoration] = []

    /// Whether a routine applies to the trip by itself.
    var followsRule = false

    /// Whether the book has rows of decisions that cannot stand because of the trip.
    var isInTheWay = false

    /// Creates an empty entry.
    init(_ id: TripID) {
        self.id = id
    }

    /// Reads an entry.
    init(_ id: TripID, decoding bytes: [UInt8]) throws(RowCodingError) {
        self.id = id
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        measured = try reader.readOptional { reader throws(RowCodingError) in
            try Trip(from: &reader)
        }
        filedCount = Int(try reader.readAmount())
        adoptedCount = Int(try reader.readAmount())
        isReported = try reader.readBool()
        reportedIn = try reader.readOptionalText()
        splitFrom = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readTripID()
        }
        splitIn = try reader.readOptionalText()
        isTied = try reader.readBool()
        isCut = try reader.readBool()
        for _ in 0..<(try reader.readAmount()) {
            let group = try reader.readOptionalText()
            restorations.append(Restoration(group: group, order: try reader.readEventOrder()))
        }
        followsRule = try reader.readBool()
        isInTheWay = try reader.readBool()
        try reader.finish()
    }

    /// The entry as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(measured) { $1.write(to: &$0) }
        writer.write(UInt64(filedCount))
        writer.write(UInt64(adoptedCount))
        writer.write(isReported)
        writer.write(reportedIn) { $0.write($1) }
        writer.write(splitFrom) { $0.write($1) }
        writer.write(splitIn) { $0.write($1) }
        writer.write(isTied)
        writer.write(isCut)
        writer.write(UInt64(restorations.count))
        for restoration in restorations {
            writer.write(restoration.group) { $0.write($1) }
            writer.write(restoration.order)
        }
        writer.write(followsRule)
        writer.write(isInTheWay)
        return writer.bytes
    }

    /// Whether there is a trip with this id.
    var isPresent: Bool { measured != nil || isReported }

    /// The group that the trip belongs to; `nil` for the owner's, and while there is no trip.
    var group: String? { measured.map(\.group) ?? reportedIn }

    /// Returns whether the trip is the second part of a split that a decision can know of: a
    /// decision from a source of one group knows of no split by a source of another.
    func isSplitOff(for decision: Decision) -> Bool {
        splitFrom != nil
            && (splitIn == nil || decision.group == nil
                || splitIn.hasSameBytes(as: decision.group))
    }

    /// Returns whether there is a trip with this id that a decision can know of: a decision from a
    /// source of another group cannot, and has no effect on the trip.
    func isPresent(for decision: Decision) -> Bool { isPresent && decision.concerns(group) }

    /// Whether no decision names the trip or is attached to it.
    var hasNoDecisions: Bool { filedCount == 0 && adoptedCount == 0 }

    /// Whether it is booked exactly as measured, so that the book keeps no other row of it.
    var isBookedAsMeasured: Bool {
        hasNoDecisions && !followsRule && !(measured?.mayGoByOdometer ?? false)
    }

    /// Whether the trip's decisions can be folded again with each commit.
    var isCheap: Bool { !isTied && filedCount + adoptedCount <= Self.fewDecisions }

    /// Whether the entry says nothing, so that it needs no row.
    var isEmpty: Bool { measured == nil && hasNoDecisions }

    /// Counts a decision that names the trip or makes it.
    mutating func count(_ decision: Decision) {
        filedCount += 1
        switch decision.event.body {
        case .tripReported:
            isReported = true
            reportedIn = decision.group
        case .tripsMerged: isTied = true
        case .tripSplit(let split):
            isTied = true
            if split.trip == id {
                isCut = true
            } else {
                (splitFrom, splitIn) = (split.trip, decision.group)
            }
        case .stretchExcluded: isCut = true
        case .tripRestored:
            restorations.note(Restoration(group: decision.group, order: decision.order))
        default: break
        }
    }
}

/// The place in event order of the last decision that restores a trip, among those from the sources
/// of one group.
struct Restoration: Hashable, Sendable {
    /// The group; `nil` for the owner.
    let group: String?

    /// The decision's place.
    let order: EventOrder
}

extension [Restoration] {
    /// Notes another decision, and keeps the last one of each group.
    mutating func note(_ other: Restoration) {
        guard let index = firstIndex(where: { $0.group.hasSameBytes(as: other.group) }) else {
            append(other)
            // In an order that does not depend on the order of arrival.
            sort { ($0.group ?? "").utf8.lexicographicallyPrecedes(($1.group ?? "").utf8) }
            return
        }
        if self[index].order < other.order { self[index] = other }
    }

    /// Returns the last one that concerns a group.
    func last(concerning group: String?) -> EventOrder? {
        filter { $0.group == nil || $0.group.hasSameBytes(as: group) }.map(\.order).max()
    }
}

/// A decision as it is filed under a trip that it names.
struct FiledDecision: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The decision.
    let decision: Decision

    /// The trip that it is attached to by time, while the trip that it names does not exist.
    var host: TripID?

    /// Files a decision.
    init(_ decision: Decision, host: TripID? = nil) {
        self.decision = decision
        self.host = host
    }

    /// Reads a filed decision.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        host = try reader.readOptional { reader throws(RowCodingError) in try reader.readTripID() }
        decision = try Decision(from: &reader)
        try reader.finish()
    }

    /// The filed decision as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(host) { $0.write($1) }
        decision.write(to: &writer)
        return writer.bytes
    }
}

/// The time that a measured trip takes, for finding the trip under way at an instant: from its
/// start to its end, at most two days.
struct TripSpan: Hashable {
    private static let formatVersion: UInt8 = 2

    /// When the trip started.
    let start: Timestamp

    /// The last instant of the span.
    let end: Timestamp

    /// The group that the trip belongs to; `nil` for the owner's.
    let group: String?

    /// Creates the span of a trip; an active one has no end yet.
    init(_ trip: Trip) {
        start = trip.startedAt.timestamp
        let limit = start.advanced(byMilliseconds: BookKey.reachMilliseconds)
        end = trip.endedAt.map { min($0.timestamp, limit) } ?? limit
        group = trip.group
    }

    /// Reads the span of a trip that started at an instant.
    init(start: Timestamp, decoding bytes: [UInt8]) throws(RowCodingError) {
        self.start = start
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        end = try reader.readTimestamp()
        group = try reader.readOptionalText()
        try reader.finish()
    }

    /// The span of a trip whose start is known, as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(end)
        writer.write(group) { $0.write($1) }
        return writer.bytes
    }

    /// Returns whether an instant lies in the span.
    func contains(_ instant: Timestamp) -> Bool {
        start <= instant && instant <= end
    }
}

/// The book's facts about a trip that people split.
package struct SplitTrip: Hashable, Sendable {
    /// The trip's id.
    package let id: TripID

    /// The source that measured it; `nil` if there is no such trip, or not yet.
    package let source: String?

    /// The trip whose second part it is, if a split made it.
    package let splitFrom: TripID?

    /// The places in event order of the last decisions that restore it.
    let restorations: [Restoration]

    /// Returns whether a split of the trip stands: the trip was not restored later, and no source
    /// of another group made the split.
    ///
    /// - Parameters:
    ///   - split: The split's place in event order.
    ///   - decider: The group of the source that it comes from; `nil` for the owner's.
    ///   - group: The group that the trip belongs to.
    /// - Returns: Whether the split stands.
    package func stands(_ split: EventOrder, by decider: String?, in group: String?) -> Bool {
        guard decider == nil || decider.hasSameBytes(as: group) else { return false }
        return restorations.last(concerning: group).map { $0 < split } ?? true
    }
}

// How a trip was booked last, byte by byte.
extension TripBook {
    static let bookedVersion: UInt8 = 6

    static func instant(decoding bytes: [UInt8]) throws(RowCodingError) -> Timestamp {
        var reader = try RowDecoder(bytes, version: bookedVersion)
        let instant = try reader.readTimestamp()
        try reader.finish()
        return instant
    }

    static func booked(decoding bytes: [UInt8]) throws(RowCodingError) -> BookedTrip? {
        var reader = try RowDecoder(bytes, version: bookedVersion)
        let booked = try reader.readOptional { reader throws(RowCodingError) in
            try BookedTrip(from: &reader)
        }
        try reader.finish()
        return booked
    }

    /// Returns whether two trips are the same byte by byte: `==` of `String` is true for texts with
    /// different bytes that are canonically equivalent.
    static func isSame(_ old: BookedTrip?, _ new: BookedTrip?) -> Bool {
        guard old == new, let old, let new else { return old == new }
        var bytes = [RowEncoder(version: 1), RowEncoder(version: 1)]
        old.write(to: &bytes[0])
        new.write(to: &bytes[1])
        return bytes[0].bytes == bytes[1].bytes
    }
}

extension RowTable {
    /// Stores a filed decision.
    mutating func put(_ filed: FiledDecision, key: [UInt8]) {
        put(filed.encoded, key: key)
    }

    /// Stores a decision that has no effect.
    mutating func put(_ decision: DecisionWithoutEffect) {
        put(decision.encoded, key: decision.key)
    }
}
