import ArgumentParser
import LedgerRows
import Projections
import Reports
import Tables
import TripEvents
import TripLedger

/// The command `ledger track`.
struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Prints the fixes of trips, days or sources, for maps and other programs too.",
        discussion: """
            Of a trip, these are the fixes to which its distance was measured; of days and \
            sources, those of the trips that started then and count. With --all they are all \
            fixes of the trips that are named, or of the days and sources, in trips or not, with \
            what the rules made of them.

            gpx and kml have a track for each trip, which begins anew where nothing was measured \
            on the way; geojson has a point for each fix, with all that is known of it. They leave \
            out fixes that the source says were made up. `ledger append` takes gpx, geojson, kml \
            and csv again. For a copy that proves what it holds, see `ledger export`.

            Examples:
              ledger track last --format gpx > trip.gpx
              ledger track --month 2026-03 --format kml > march.kml
              ledger track --source phone --day 2026-03-14 --all --format csv
            """
    )

    @OptionGroup var positions: PositionOptions<PositionFormat>

    @Argument(
        help: ArgumentHelp(
            "The trips: the beginnings of their ids, or last, or active.",
            valueName: "trip"
        )
    )
    var trips: [TripReference] = []

    @OptionGroup var days: PeriodOptions

    @Option(help: "Only fixes of this source; can be repeated.", completion: .source)
    var source: [String] = []

    @OptionGroup var moment: AsOfOption

    @Flag(help: "Print all fixes: those too that were ignored, or are in no trip.")
    var all = false

    func validate() throws {
        let isLimited = !days.isUnlimited || !source.isEmpty
        guard trips.isEmpty || !isLimited else {
            throw ValidationError("Name trips, or say which days and sources: not both.")
        }
        guard !trips.isEmpty || isLimited || all else {
            throw ValidationError(
                "Name a trip, such as last, or say which, such as --month 2026-03; "
                    + "--all alone prints every fix."
            )
        }
    }

    private var format: PositionFormat { positions.format }
    private var table: TableOptions { positions.table }

    func run() throws {
        let ledger = try positions.open()
        defer { ledger.close() }
        var missing = MissingEntries()
        let isEmpty = try table.output.writing { output in
            try ledger.read(asOf: try moment.instant(in: ledger)) { snapshot in
                for name in source { try snapshot.requireSource(named: name) }
                missing = try snapshot.missingEntries()
                if var writer = TrackWriter(as: format) {
                    return try write(snapshot, of: ledger, with: &writer, to: output)
                }
                return try writeRows(snapshot, missing, of: ledger, to: output)
            }
        }
        // Rows have this remark themselves, and people read it above them.
        if format.rows == nil || isEmpty && format != .text { Diagnostic.note(missing) }
        if isEmpty, format == .text { Diagnostic.say("There are no fixes to print.\n") }
    }

    /// Writes the fixes as rows, and returns whether there are none.
    private func writeRows(
        _ snapshot: borrowing Snapshot,
        _ missing: MissingEntries,
        of ledger: Ledger,
        to output: Output
    ) throws -> Bool {
        let rows = try table.format(format.rows ?? .text)
        let style = table.style(for: ledger)
        let columns = try table.chosen(of: TrackedFix.columns, as: rows)
        var list = RowWriter(
            rows == .text ? columns : columns.noting(missing),
            as: rows,
            style: style
        )
        try readFixes(snapshot, of: ledger) {
            if rows == .text { try output.writeHead(missing) }
            try output.write { list.begin(to: &$0) }
        } forEach: { fix in
            try output.write { list.add(fix, to: &$0) }
        }
        try output.finish(list)
        if rows == .text, !list.isEmpty { try output.writeZone(of: columns, style) }
        return list.isEmpty
    }

    /// Writes the fixes for maps, and returns whether there are none.
    private func write(
        _ snapshot: borrowing Snapshot,
        of ledger: Ledger,
        with writer: inout TrackWriter,
        to output: Output
    ) throws -> Bool {
        let style = table.style(for: ledger)
        let places = try snapshot.places()
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        var isEmpty = true
        var bytes: [UInt8] = []
        try readFixes(snapshot, of: ledger) {
            writer.begin(to: &bytes)
        } forEach: { fix in
            isEmpty = false
            try writer.add(fix, to: &bytes) {
                guard let id = fix.trip else {
                    return TrackTitle(source: fix.stored.event.source)
                }
                let row = try snapshot.trip(.prefix(id.description))
                let named = NamedTrip(row.booked, places: places, overlap: overlaps[id])
                return TrackTitle(named, style)
            }
            try output.write(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        writer.end(to: &bytes)
        try output.write(bytes)
        return isEmpty
    }

    /// Hands over the fixes that were asked for.
    private func readFixes(
        _ snapshot: borrowing Snapshot,
        of ledger: Ledger,
        _ begin: () throws -> Void,
        forEach body: (TrackedFix) throws -> Void
    ) throws {
        let period = days.isUnlimited ? nil : try days.period(in: ledger)
        guard !trips.isEmpty || !all else {
            return try snapshot.readFixes(ofSources: source, in: period, begin, forEach: body)
        }
        var ids = try trips.map { try snapshot.trip($0).trip.id }
        if trips.isEmpty {
            try snapshot.readTrips(TripFilter(period: period, isOldestFirst: true)) { row in
                if source.isEmpty || source.containsName(row.trip.source) {
                    ids.append(row.trip.id)
                }
                return true
            }
        }
        try snapshot.readFixes(of: ids, begin) { fix in
            if all || fix.counts { try body(fix) }
        }
    }
}
