import Geodesy
package import Projections
import Tables
import TripEvents
package import TripLedger

/// The relations of trips to one another, which their rows show.
package struct TripRelations: Sendable {
    /// The straight line of the way before a trip that nothing recorded.
    package let unrecorded: [TripID: Distance]

    /// The trips that overlap others.
    package let overlaps: TripOverlaps

    /// Reads the relations of all trips of a snapshot that are seen.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(in snapshot: borrowing Snapshot) throws(LedgerError) {
        (unrecorded, overlaps) = try snapshot.relateTrips(into: [TripID: Distance]()) {
            $0[$1.later.trip] = $1.distance
        }
    }

    /// Returns the trips for which these relations differ from others.
    package func differences(from others: TripRelations) -> Set<TripID> {
        let related = [self, others]
            .flatMap { Array($0.unrecorded.keys) + $0.overlaps.all.map(\.ends.trip) }
        return Set(related)
            .filter {
                unrecorded[$0] != others.unrecorded[$0] || overlaps[$0] != others.overlaps[$0]
            }
    }
}

/// Writes changes of the feed with the rows as they are: `change.v1.schema.json`.
package struct ChangeWriter {
    private let places: PlaceBook
    private let clock: LocalDay?
    private let note: [UInt8]
    private let relations: TripRelations?
    private let drivers: DriverBook
    private var named: [FeedSubject: [UInt8]] = [:]

    /// Reads what changes need of the ledger.
    ///
    /// - Parameters:
    ///   - items: The changes.
    ///   - snapshot: The ledger.
    ///   - note: A member of JSON about entries that the ledger lacks, with which each row ends;
    ///     empty for none.
    ///   - relate: Returns the relations of its trips; called if trips have changed.
    /// - Throws: `.damaged`, `.inputOutput`.
    package init(
        for items: [FeedItem],
        in snapshot: borrowing Snapshot,
        noting note: [UInt8] = [],
        _ relate: (borrowing Snapshot) throws -> TripRelations
    ) throws {
        places = try snapshot.places()
        clock = snapshot.clock
        self.note = note
        let kinds = Set(items.map(\.subject.kind))
        relations = kinds.contains(.trip) ? try relate(snapshot) : nil
        drivers = kinds.contains(.trip) ? try snapshot.drivers() : DriverBook()
        if kinds.contains(.place) { add(places.places, .place) { ($0.name, $0.group) } }
        if kinds.contains(.vehicle) {
            add(ListedVehicle.all(in: try snapshot.vehicles()), .vehicle) { ($0.name, $0.group) }
        }
        if kinds.contains(.visit) {
            for (subject, visit) in try snapshot.visits(about: items.map(\.subject)) {
                named[subject] = json(visit)
            }
        }
        if kinds.contains(.field) {
            for decision in try snapshot.fieldDecisions() {
                guard case .fieldDefined(let field) = decision.event.body else { continue }
                add([field], .field) { ($0.key, decision.group) }
            }
        }
        if kinds.contains(.routine) {
            let routines = try snapshot.routines().routines
            for routine in routines {
                add([ListedRoutine(routine, places: places)], .routine) { _ in
                    (routine.routine.name, routine.group)
                }
            }
        }
    }

    private mutating func add<Row: Tabular>(
        _ rows: [Row],
        _ kind: FeedSubject.Kind,
        _ name: (Row) -> (name: String, group: String?)
    ) {
        for row in rows {
            let (name, group) = name(row)
            named[FeedSubject(kind, name, in: group)] = json(row)
        }
    }

    private func json<Row: Tabular>(_ row: Row) -> [UInt8] {
        var bytes: [UInt8] = []
        Row.columns.appendJSON(row, to: &bytes, by: clock)
        guard !note.isEmpty else { return bytes }
        // In the place of the brace at the end.
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        return bytes + note + [UInt8(ascii: "}")]
    }

    /// Appends a change.
    ///
    /// - Parameters:
    ///   - item: The change, one of those that it was made for.
    ///   - head: The feed.
    ///   - snapshot: The ledger.
    ///   - bytes: What it is appended to, as an object of JSON.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func append(
        _ item: FeedItem,
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        to bytes: inout [UInt8]
    ) throws {
        var row: [UInt8]? = named[item.subject]
        if item.subject.kind == .trip, let id = TripID(item.subject.name),
            let trip = try snapshot.tripRow(id)
        {
            row = json(
                NamedTrip(
                    trip.booked,
                    places: places,
                    unrecorded: relations?.unrecorded[id],
                    overlap: relations?.overlaps[id],
                    drivers: drivers
                )
            )
        }
        bytes += #"{"cursor":"\#(FeedCursor(head, item.number).text)","#.utf8
        bytes += #""kind":"\#(item.subject.kind.rawValue)","#.utf8
        bytes += #""operation":"\#(row == nil ? "gone" : "put")","key":"#.utf8
        JSONWriter.append(item.subject.name, to: &bytes)
        if let row {
            bytes += #","row":"#.utf8
            bytes += row
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

/// A place in the feed of changes, as readers keep it.
package struct FeedCursor: Sendable {
    /// The epoch of its feed.
    package let epoch: UInt64

    /// The number of the last change that the reader knows.
    package let number: UInt64

    /// Creates the cursor of a reader that has read a feed up to a number.
    package init(_ head: FeedHead, _ number: UInt64) {
        epoch = head.epoch
        self.number = number
    }

    /// Reads a cursor, or returns `nil` if a text is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: Self.radix),
            let number = UInt64(parts[1])
        else { return nil }
        self.epoch = epoch
        self.number = number
    }

    /// The cursor as text.
    package var text: String { "\(String(epoch, radix: Self.radix))-\(number)" }

    /// Whether it belongs to a feed, which has reached its number.
    package func isOf(_ head: FeedHead) -> Bool { epoch == head.epoch && number <= head.last }

    private static let radix = 16
}
