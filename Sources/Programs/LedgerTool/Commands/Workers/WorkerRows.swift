import ArgumentParser
import Geodesy
import LedgerKeeping
import LedgerRows
import Projections
import Proofs
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking

/// A list whose rows a worker writes, as `--emit` names it.
enum WorkerList: String, CaseIterable {
    case trips
    case visits
    case totals
    case vehicles
    case claims

    /// The `kind` of its lines.
    fileprivate var kind: String {
        switch self {
        case .trips: "trip"
        case .visits: "visit"
        case .totals: "total"
        case .vehicles: "vehicle"
        case .claims: "claim"
        }
    }
}

/// The lists of `--emit`, separated by commas.
struct WorkerLists: ExpressibleByArgument, CustomStringConvertible {
    let lists: Set<WorkerList>

    init(_ lists: Set<WorkerList>) {
        self.lists = lists
    }

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let lists = words.compactMap { WorkerList(rawValue: String($0)) }
        guard lists.count == words.count else { return nil }
        self.lists = Set(lists)
    }

    var description: String {
        WorkerList.allCases.filter(lists.contains).map(\.rawValue).joined(separator: ",")
    }
}

/// The rows that a worker writes.
struct WorkerChoice {
    /// The lists.
    let lists: Set<WorkerList>

    /// The groups of sources; empty for all.
    let groups: [GroupSelection]

    /// The claim that is made of each group; `nil` for none.
    let claim: ReportRequest?

    /// Returns whether a row of a group is made.
    func includes(_ group: String?) -> Bool {
        groups.isEmpty || groups.contains { $0.includes(group) }
    }
}

/// Writes the rows of one ledger as lines, and hashes them.
struct WorkerRows {
    private let header: SegmentHeader
    private let choice: WorkerChoice
    private let instant: Timestamp
    private let clock: LocalDay?
    private let output: Output
    private var digest = SHA256Stream()

    /// How many rows were written.
    private(set) var count = 0

    /// Prepares to write.
    ///
    /// - Parameters:
    ///   - header: The ledger's beginning in the stream.
    ///   - choice: Which rows.
    ///   - instant: The instant to which time passes.
    ///   - clock: The clock of its times; `nil` if this machine does not know its zone.
    ///   - output: Where they go.
    init(
        of header: SegmentHeader,
        _ choice: WorkerChoice,
        asOf instant: Timestamp,
        clock: LocalDay?,
        to output: Output
    ) {
        self.header = header
        self.choice = choice
        self.instant = instant
        self.clock = clock
        self.output = output
    }

    /// Writes the rows of all lists, each list in its order.
    ///
    /// - Throws: `LedgerError` or `OutputError`.
    mutating func write(_ snapshot: borrowing Snapshot) throws {
        let missing = try snapshot.missingEntries()
        for list in WorkerList.allCases where choice.lists.contains(list) {
            switch list {
            case .trips: try writeTrips(snapshot, missing)
            case .visits: try writeVisits(snapshot, missing)
            case .totals: try writeTotals(snapshot, missing)
            case .vehicles: try writeVehicles(snapshot, missing)
            case .claims: try writeClaims(snapshot)
            }
        }
    }

    /// Returns the SHA-256 of the lines.
    mutating func finish() -> String { digest.finish().description }

    /// Returns a line of a kind about a ledger, with its line feed.
    static func line(
        _ kind: String,
        _ header: SegmentHeader,
        _ fill: (inout RowJSON) -> Void
    ) -> [UInt8] {
        var json = RowJSON()
        json.add("kind", text: kind)
        json.add("ledger", text: header.ledger)
        fill(&json)
        return json.object + [UInt8(ascii: "\n")]
    }

    private mutating func writeTrips(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries
    ) throws {
        let (places, drivers) = (try snapshot.places(), try snapshot.drivers())
        let columns = NamedTrip.columns.noting(missing)
        var filter = TripFilter(includesUncounted: true)
        filter.drivers = drivers
        try snapshot.readNamedTrips(filter, places, drivers) { named in
            if choice.includes(named.booked.trip.group) { try write(named, columns, of: .trips) }
            return true
        }
    }

    private mutating func writeVisits(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries
    ) throws {
        let columns = SourceVisit.columns.noting(missing)
        try snapshot.readVisits { visit in
            if choice.includes(visit.group) { try write(visit, columns, of: .visits) }
            return true
        }
    }

    /// Writes the sums of each month and of all; of groups one after the other, each named.
    private mutating func writeTotals(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries
    ) throws {
        let period = LocalPeriod(localDay: try snapshot.requireClock())
        let grouping = TotalsGrouping.month
        let columns = TotalsLine.columns(by: grouping, thenBy: nil).noting(missing)
        let groups = choice.groups.isEmpty ? [nil] : choice.groups.map(Optional.some)
        for group in groups {
            let totals = try snapshot.totals(by: grouping, in: period, of: group)
            for line in TotalsLine.all(of: totals) {
                try write(line, columns, of: .totals) { json in
                    if let group { json.add("group", text: group.group ?? "") }
                }
            }
        }
    }

    /// Writes vehicles: those of the owner are known to all groups.
    private mutating func writeVehicles(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries
    ) throws {
        let columns = ListedVehicle.columns.noting(missing)
        for vehicle in ListedVehicle.all(in: try snapshot.vehicles())
        where vehicle.group == nil || choice.includes(vehicle.group) {
            try write(vehicle, columns, of: .vehicles)
        }
    }

    /// Writes the lines of claims: of the groups that are chosen, else of all that have trips, one
    /// after the other, each named.
    private mutating func writeClaims(_ snapshot: borrowing Snapshot) throws {
        guard var request = choice.claim else { return }
        request.format = .json
        // Lines of JSON are no document to be printed.
        let means = ReportMeans { _ in [] }
        let groups = choice.groups.isEmpty ? try Self.groups(in: snapshot) : choice.groups
        for group in groups {
            request.group = group
            let report = try ResolvedReport(request, asOf: instant, of: snapshot, by: means)
            let bytes = try report.bytes(snapshot).bytes
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                try write(Array(line), of: .claims) { json in
                    json.add("group", text: group.group ?? "")
                }
            }
        }
    }

    /// Returns the groups that have trips, in order of their bytes; the owner's comes first.
    private static func groups(in snapshot: borrowing Snapshot) throws -> [GroupSelection] {
        var names: Set<[UInt8]> = []
        try snapshot.readTrips(
            TripFilter(),
            forEach: { row in
                names.insert(Array((row.booked.trip.group ?? "").utf8))
                return true
            }
        )
        return names.sorted { $0.lexicographicallyPrecedes($1) }
            .map { GroupSelection($0.isEmpty ? nil : String(decoding: $0, as: UTF8.self)) }
    }

    private mutating func write<Row>(
        _ row: Row,
        _ columns: Columns<Row>,
        of list: WorkerList,
        _ add: (inout RowJSON) -> Void = { _ in }
    ) throws {
        var bytes: [UInt8] = []
        columns.appendJSON(row, to: &bytes, by: clock)
        try write(bytes, of: list, add)
    }

    /// Writes a row that is an object of JSON already.
    private mutating func write(
        _ row: [UInt8],
        of list: WorkerList,
        _ add: (inout RowJSON) -> Void
    ) throws {
        let line = Self.line(list.kind, header) { json in
            add(&json)
            json.add("row", object: row)
        }
        digest.update(line.span)
        count += 1
        try output.write(line)
    }
}
