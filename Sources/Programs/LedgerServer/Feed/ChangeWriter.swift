import HTTPTypes
import LedgerHTTP
import LedgerRows
import Reports
import Tables
import TripLedger

/// Writes changes of the feed with the rows as they are: `change.v1.schema.json`.
struct ChangeWriter {
    private let places: PlaceBook
    private let clock: LocalDay?
    private let missing: MissingEntries
    private let relations: TripRelations.Relations
    private var named: [FeedSubject: [UInt8]] = [:]

    /// Reads what changes need of the ledger.
    init(
        for items: [FeedItem],
        in snapshot: borrowing Snapshot,
        _ relations: TripRelations
    ) throws {
        places = try snapshot.places()
        clock = snapshot.clock
        missing = try snapshot.missingEntries()
        let kinds = Set(items.map(\.subject.kind))
        self.relations =
            kinds.contains(.trip)
            ? try relations.relations(in: snapshot)
            : TripRelations.Relations(unrecorded: [:], overlaps: TripOverlaps())
        if kinds.contains(.place) { add(places.places, .place) { ($0.name, $0.group) } }
        if kinds.contains(.vehicle) {
            add(ListedVehicle.all(in: try snapshot.vehicles()), .vehicle) { ($0.name, $0.group) }
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
        let columns = Row.columns.noting(missing)
        for row in rows {
            var bytes: [UInt8] = []
            columns.appendJSON(row, to: &bytes, by: clock)
            let (name, group) = name(row)
            named[FeedSubject(kind, name, in: group)] = bytes
        }
    }

    /// Appends a change.
    func append(
        _ item: FeedItem,
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        to bytes: inout [UInt8]
    ) throws {
        var row: [UInt8]? = named[item.subject]
        if item.subject.kind == .trip, let id = TripID(item.subject.name),
            let trip = try snapshot.tripRow(id)
        {
            var written: [UInt8] = []
            let named = NamedTrip(
                trip.booked,
                places: places,
                unrecorded: relations.unrecorded[id],
                overlap: relations.overlaps[id],
                drivers: try snapshot.drivers()
            )
            NamedTrip.columns.noting(missing).appendJSON(named, to: &written, by: clock)
            row = written
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
struct FeedCursor: Sendable {
    /// The epoch of its feed.
    let epoch: UInt64

    /// The number of the last change that the reader knows.
    let number: UInt64

    /// Says up to where a feed was read.
    init(_ head: FeedHead, _ number: UInt64) {
        epoch = head.epoch
        self.number = number
    }

    /// Reads a cursor, or returns `nil` if a text is none.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: Self.radix),
            let number = UInt64(parts[1])
        else { return nil }
        self.epoch = epoch
        self.number = number
    }

    /// The cursor as text.
    var text: String { "\(String(epoch, radix: Self.radix))-\(number)" }

    /// Whether it is of a feed that has come so far.
    func isOf(_ head: FeedHead) -> Bool { epoch == head.epoch && number <= head.last }

    private static let radix = 16
}

extension Problem {
    /// The feed that the cursor is of is not there any more.
    static let cursorGone = Problem(
        kind: "cursor-gone",
        status: .gone,
        title: "The changes since then are not known any more",
        detail: "Read them from the beginning, without cursor, and drop rows that do not come."
    )
}
