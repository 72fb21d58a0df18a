package import EventStore
import Projections
import RoutinesProjection
import RowCoding
import TripEvents
import TripTracking
import TripsProjection
import VisitsProjection

/// What a change in the feed is about: a row that people look at.
package struct FeedSubject: Sendable {
    /// The kinds of rows.
    package enum Kind: String, CaseIterable, Sendable {
        case trip
        case place
        case routine
        case field
        case vehicle
        case visit

        /// The first byte of keys.
        fileprivate var letter: UInt8 {
            switch self {
            case .trip: UInt8(ascii: "T")
            case .place: UInt8(ascii: "P")
            case .routine: UInt8(ascii: "R")
            case .field: UInt8(ascii: "F")
            case .vehicle: UInt8(ascii: "V")
            case .visit: UInt8(ascii: "S")
            }
        }
    }

    /// What kind of row it is.
    package let kind: Kind

    /// The trip's id, the name, or of a visit the key of its row in hexadecimal.
    package let name: String

    /// The source of a trip, which stays known when the trip has gone; `nil` if the row is not a
    /// trip's.
    package let source: RegisteredSource?

    /// Names a row.
    package init(_ kind: Kind, _ name: String, of source: RegisteredSource? = nil) {
        self.kind = kind
        self.name = name
        self.source = source
    }

    /// Longer names are cut off in keys, and a hash distinguishes them.
    private static let mostBytesOfName = 100

    /// The key of `feed_subjects`.
    var key: [UInt8] {
        let bytes = Array(name.utf8)
        guard bytes.count > Self.mostBytesOfName else { return [kind.letter] + bytes }
        var key = [kind.letter] + bytes.prefix(Self.mostBytesOfName)
        var hash = FeedHash()
        hash.take(bytes)
        key.append(bigEndian: hash.value)
        return key
    }
}

extension FeedSubject: Hashable, Comparable {
    /// A subject is identified by its kind and its name.
    package static func == (left: FeedSubject, right: FeedSubject) -> Bool {
        left.kind == right.kind && left.name == right.name
    }

    /// Feeds its kind and its name into a hasher.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(name)
    }

    /// Subjects are in order of their keys.
    package static func < (left: FeedSubject, right: FeedSubject) -> Bool {
        left.key.lexicographicallyPrecedes(right.key)
    }
}

// MARK: - Rows of views

extension FeedSubject {
    /// The tables whose rows appear in the feed.
    static let tables: [ViewTable] = [.tripsInOrder, .routinesInOrder, .book, .visitsInOrder]

    /// The kinds of the book's rows that appear in the feed.
    static let bookRows: [BookRowKind] = [.place, .vehicle, .field, .routine]

    /// Finds out what a stored row is about; `nil` if it is about nothing that the feed tells.
    ///
    /// - Throws: `RowCodingError` if the row is damaged.
    init?(_ table: ViewTable, _ key: [UInt8], _ value: [UInt8]) throws(RowCodingError) {
        switch table {
        case .tripsInOrder:
            let trip = try TripRow.bookedTrip(decoding: value).trip
            self.init(
                .trip,
                ViewKey.hexadecimal(Array(key.suffix(Self.tripByteCount))),
                of: RegisteredSource(name: trip.source, group: trip.group)
            )
        case .routinesInOrder:
            let row = try RoutineRow(decoding: value)
            self.init(.routine, Self.name(row.name, in: row.group))
        case .visitsInOrder: self.init(.visit, ViewKey.hexadecimal(key))
        case .book:
            switch key.first {
            case BookRowKind.place.letter, BookRowKind.vehicle.letter:
                self.init(of: try DecisionTopic.decision(decoding: value))
            case BookRowKind.field.letter:
                self.init(.field, Self.name(in: key))
            case BookRowKind.routine.letter:
                self.init(.routine, Self.name(in: key))
            default: return nil
            }
        default: return nil
        }
    }

    /// Finds out what a decision about places or vehicles is about; `nil` if it is about neither.
    init?(of decision: Decision) {
        switch decision.event.body {
        case .placeSaved(let saving): self.init(.place, saving.place, in: decision.group)
        case .placeRemoved(let removal): self.init(.place, removal.place, in: decision.group)
        case .vehicleRegistered(let registration):
            self.init(.vehicle, registration.vehicle, in: decision.group)
        case .odometerRead(let reading):
            self.init(.vehicle, reading.vehicle, in: decision.group)
        default: return nil
        }
    }

    /// Creates the subject of a name that a group has for itself, or without one the owner.
    package init(_ kind: Kind, _ name: String, in group: String?) {
        self.init(kind, Self.name(name, in: group))
    }

    /// Stands between a group and a name, neither of which holds a control character.
    private static let groupMark = "\u{1F}"

    private static func name(_ name: String, in group: String?) -> String {
        group.map { $0 + groupMark + name } ?? name
    }

    /// The group that a trip belongs to, or that has a name for itself; `nil` for the owner's.
    var group: String? {
        if kind == .trip { return source?.group }
        let parts = name.split(separator: Self.groupMark, maxSplits: 1)
        return parts.count > 1 ? String(parts[0]) : nil
    }

    /// Returns the name in a key of the book: after the letter come the name, a zero, and the group
    /// up to the next zero or the end.
    private static func name(in key: [UInt8]) -> String {
        let parts = key.dropFirst()
            .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let group = parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil
        return name(
            String(decoding: parts.first ?? [], as: UTF8.self),
            in: group.map { String(decoding: $0, as: UTF8.self) }
        )
    }

    /// The key of the row of a visit; `nil` if the subject is not a visit.
    var visitKey: [UInt8]? {
        let digits = Array(name.utf8)
        guard kind == .visit, digits.count == 2 * ViewKey.visitByteCount else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2)
            .compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        return bytes.count == ViewKey.visitByteCount ? bytes : nil
    }

    private static let tripByteCount = 16

    /// Returns a hash that distinguishes one state of a row from others.
    ///
    /// For a trip or a visit that is going on, it leaves out whatever changes with each fix.
    ///
    /// - Throws: `RowCodingError` if the row is damaged.
    static func hash(
        of table: ViewTable,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(RowCodingError) -> UInt64 {
        var hash = FeedHash()
        hash.take(key)
        if table == .visitsInOrder {
            let row = try VisitRow(decoding: value)
            hash.take(row.leftAt == nil ? Array(row.place.utf8) : value)
            return hash.value
        }
        guard table == .tripsInOrder else {
            hash.take(value)
            return hash.value
        }
        let row = try TripRow(decoding: value)
        guard row.booked.status == .active else {
            hash.take(value)
            return hash.value
        }
        hash.take(TripRow(row.booked.withoutProgress).value)
        return hash.value
    }
}

extension BookedTrip {
    /// A trip that is going on as it was when it began, with what people said about it since.
    fileprivate var withoutProgress: BookedTrip {
        var booked = self
        let first = trip.recorded.firstAt
        booked.trip = Trip(
            id: trip.id,
            source: trip.source,
            group: trip.group,
            vehicle: trip.vehicle,
            rules: trip.rules,
            startedBy: trip.startedBy,
            startedAt: trip.startedAt,
            recorded: Trip.Recorded(firstAt: first, lastAt: first)
        )
        booked.trip.start = trip.start
        return booked
    }
}

/// A hash of bytes that is the same everywhere: FNV-1a with 64 bits (Fowler, Noll and Vo 1991).
///
/// A sender who makes a collision on purpose keeps only a change of his own from being told.
struct FeedHash {
    /// The hash of what was taken.
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes bytes.
    mutating func take(_ bytes: [UInt8]) {
        for byte in bytes {
            value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }
}
