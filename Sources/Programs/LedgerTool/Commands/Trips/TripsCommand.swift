import ArgumentParser
import Geodesy
import LedgerRows
import Projections
import Reports
import SystemPackage
import Tables
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger trips`.
struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "Lists trips, newest first.",
        discussion: """
            The distance is the one that counts. In JSON and CSV adjusted_distance_m, where there \
            is one, counts in place of distance_m, and a trip that is left_out counts in no sum. \
            Gaps, where nothing was measured, stand beside it. Text shows the newest 100 trips, \
            JSON and CSV all. `ledger help columns` says what stands in each column; formats, \
            dates and filters are topics too.

            Examples:
              ledger trips
              ledger trips --year 2025 --class business
              ledger trips --limit 20 --after 6c1f09d2
              ledger trips --text "bakker roof"
              ledger trips --status voided
              ledger trips --format csv > trips.csv
              ledger trips --year 2025 --excel de > logbook.csv
              ledger trips --text roof --format ids | xargs ledger edit --client ACME -y
              ledger trips --year 2025 --format hledger | hledger -f - balance
            """
    )

    /// The number of trips that are listed by default.
    private static let defaultLimit = 100
    private static let shownIDByteCount = 12

    @OptionGroup var book: LedgerOption

    @Option(name: .customLong("format"), help: "How the list is written.")
    var listFormat: TripListFormat = .text

    @OptionGroup var table: TableOptions
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(name: .customLong("class"), help: "Only trips of this class.")
    var tripClass: TripClass?

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "Only trips of this driver.")
    var driver: String?

    @Option(help: "Only trips of this source.", completion: .source)
    var source: String?

    @Option(help: "Only this trip: the beginning of its id, or last.")
    var trip: TripReference?

    @OptionGroup var way: WayOptions

    @Option(help: "Only trips with this purpose.")
    var purpose: String?

    @Option(
        help: ArgumentHelp(
            "Only trips with all these words in details or places.",
            valueName: "words"
        )
    )
    var text: String?

    @Option(help: "The unit of distances in text.")
    var units: DistanceUnit?

    @Option(
        parsing: .unconditional,
        help: "How many trips at most (default: 100 in text).",
        transform: RowLimit.read
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp("Go on after this trip: the beginning of its id.", valueName: "trip")
    )
    var after: TripReference?

    @Flag(help: "Also trips that count nowhere, such as voided ones.")
    var all = false

    @Option(help: "Only trips with this status, also those of --all.")
    var status: BookedStatus?

    @OptionGroup var group: GroupOption

    func validate() throws {
        guard tripClass == nil || !way.unclassified else {
            throw ValidationError("--unclassified is a class: use it without --class.")
        }
        guard excel == nil || [.text, .csv].contains(listFormat) else {
            throw SpreadsheetOption.conflict(with: listFormat.rawValue)
        }
        guard table.columns == nil || listFormat.rows.map({ $0 != .ids }) ?? false else {
            throw ValidationError("--columns are those of a table: use it with text or csv.")
        }
    }

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        let limit = limit ?? (isForPeople ? Self.defaultLimit : nil)
        var missing = MissingEntries()
        var unknown: UnknownName?
        var hasOnlyGuesses = false
        let (last, hasMore) = try table.output.writing { output in
            try ledger.read(asOf: try moment.instant(in: ledger)) {
                missing = try $0.missingEntries(of: group.selection)
                if let vehicle {
                    try $0.requireOneVehicle(named: vehicle, of: group.selection)
                }
                if let source { try $0.requireSource(named: source) }
                let writer = listFormat.writer(try style(in: ledger))
                let listed =
                    if let writer {
                        try write($0, of: ledger, limit: limit, by: writer, to: output)
                    } else {
                        try write($0, missing, of: ledger, limit: limit, to: output)
                    }
                if listed.last == nil {
                    hasOnlyGuesses = try isForPeople && $0.hasOnlyInferredWays()
                    unknown = try $0.unknown(
                        group: group.selection,
                        vehicle: vehicle,
                        driver: driver
                    )
                }
                return listed
            }
        }
        // Rows have this remark themselves, and people read it above them.
        if listFormat.rows == nil || last == nil && format != .text { Diagnostic.note(missing) }
        if let last, hasMore {
            let id = last.description.prefix(Self.shownIDByteCount)
            Diagnostic.say("There are more: add --after \(id) for the next ones.\n")
        } else if last == nil {
            if isForPeople { Diagnostic.say("There are no trips to list.\n") }
            if hasOnlyGuesses {
                // Ways that another app inferred from positions could be trips.
                Diagnostic.say(
                    "`ledger inferences --make-trips` reports the drives that an app inferred.\n"
                )
            }
            Diagnostic.note(unknown)
        }
    }

    private var isForPeople: Bool { listFormat == .text && excel == nil }

    private var excel: DecimalMark? { table.excel }
    private var format: RowFormat { excel == nil ? listFormat.rows ?? .text : .csv }

    /// Writes the list as a document of another program, and returns its last trip and whether
    /// there are more.
    private func write(
        _ snapshot: borrowing Snapshot,
        of ledger: Ledger,
        limit: Int?,
        by listWriter: any TripListWriter,
        to output: Output
    ) throws -> (last: TripID?, hasMore: Bool) {
        let (places, drivers) = (try snapshot.places(), try snapshot.drivers())
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        var writer = listWriter
        var (last, left, hasMore) = (TripID?.none, limit ?? .max, false)
        let filter = try filter(of: snapshot, in: ledger, places, drivers, limit: limit)
        try snapshot.readTrips(filter) {
            try output.write { writer.begin(to: &$0) }
        } forEach: { trip in
            hasMore = left == 0
            guard !hasMore else { return false }
            left -= 1
            let id = trip.trip.id
            last = id
            let overlap = overlaps[id]
            // Only calendars need it, and it is one more look at the ledger for each trip.
            let decidedAt =
                listFormat == .ics
                ? try snapshot.decisions(about: id).map(\.recordedAt).max() : nil
            let named = NamedTrip(
                trip.booked,
                places: places,
                overlap: overlap,
                drivers: drivers,
                decidedAt: decidedAt
            )
            try output.write { writer.add(named, to: &$0) }
            return true
        }
        try output.write { writer.end(to: &$0) }
        return (last, hasMore)
    }

    /// Writes the list, and returns its last trip and whether there are more.
    private func write(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries,
        of ledger: Ledger,
        limit: Int?,
        to output: Output
    ) throws -> (last: TripID?, hasMore: Bool) {
        let (places, drivers) = (try snapshot.places(), try snapshot.drivers())
        if format == .text { try output.writeHead(missing) }
        let style = try style(in: ledger)
        let all = excel == nil ? NamedTrip.columns : try sheet(of: snapshot, style).columns
        let columns = try table.chosen(of: all, as: format, noting: missing)
        var list = RowWriter(columns, as: format, style: style)
        var marks: Set<TripMark> = []
        var last: TripID?
        var left = limit ?? .max
        var hasMore = false
        var overlapping: [TripOverlap] = []
        let filter = try filter(of: snapshot, in: ledger, places, drivers, limit: limit)
        // This comes before the first line, because damaged views can be made anew only while
        // nothing is printed.
        let leftOut =
            format == .text
            ? try uncounted(snapshot, of: ledger, style.clock) : UncountedTotal()
        try snapshot.readNamedTrips(filter, places, drivers) {
            try output.write { list.begin(to: &$0) }
        } forEach: { named in
            hasMore = left == 0
            guard !hasMore else { return false }
            left -= 1
            last = named.booked.id
            if let overlap = named.overlap { overlapping.append(overlap) }
            if format == .text {
                for mark in TripMark.allCases where mark.marks(named) { marks.insert(mark) }
            }
            try output.write { list.add(named, to: &$0) }
            return true
        }
        try output.finish(list)
        if format == .text, last != nil {
            try output.writeZone(of: columns, style)
            try output.writeSentences(TripMark.legend(of: marks))
            try output.writeSentences(OverlapAdvice.text(on: overlapping))
            try output.writeSentences(leftOut.text(style))
        }
        return (last, hasMore)
    }

    /// Returns the ways that the list leaves out of the requested days and group; empty if the list
    /// has other limits, too.
    private func uncounted(
        _ snapshot: borrowing Snapshot,
        of ledger: Ledger,
        _ clock: LocalDay?
    ) throws -> UncountedTotal {
        let isWhole =
            !all && status == nil && tripClass == nil && vehicle == nil && driver == nil
            && source == nil && trip == nil && purpose == nil && text == nil && after == nil
            && way.isUnlimited
        guard isWhole, let clock else { return UncountedTotal() }
        let period =
            days.isUnlimited ? LocalPeriod(localDay: clock) : try days.period(in: ledger)
        return try snapshot.uncountedWays(in: period, of: group.selection)
    }

    private func sheet(
        of snapshot: borrowing Snapshot,
        _ style: TextStyle
    ) throws -> TripSheet {
        TripSheet(
            clock: style.clock,
            vehicles: try snapshot.vehicles(),
            fields: try snapshot.fields()
        )
    }

    /// Returns the style of the list for people: in the time zone in which they asked for days.
    private func style(in ledger: Ledger) throws -> TextStyle {
        var style = table.style(for: ledger, unit: units)
        if let clock = try days.clock { style.clock = clock }
        return style
    }

    /// Returns which trips to list: one more than asked for, to know whether there are more.
    private func filter(
        of snapshot: borrowing Snapshot,
        in ledger: Ledger,
        _ places: PlaceBook,
        _ drivers: DriverBook,
        limit: Int?
    ) throws -> TripFilter {
        var filter = TripFilter(
            limit: limit.map { min($0, .max - 1) + 1 },
            includesUncounted: all || status != nil || trip != nil,
            // A ledger whose time zone this machine does not know has a list of all trips too.
            period: days.isUnlimited ? nil : try days.period(in: ledger),
            tripClass: tripClass,
            vehicle: vehicle,
            purpose: purpose,
            after: after,
            source: source,
            group: group.selection
        )
        filter.trip = try trip.map { try snapshot.trip($0).trip.id }
        filter.text = text.map { TextSearch($0) }
        filter.status = status
        filter.driver = driver
        filter.drivers = drivers
        try way.limit(&filter, in: ledger, places)
        return filter
    }
}
