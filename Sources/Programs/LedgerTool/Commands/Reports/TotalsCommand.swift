import ArgumentParser
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger

/// The command `ledger totals`.
struct TotalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals",
        abstract:
            "Adds up trips by time, vehicle, class, client, source, group or driver.",
        discussion: """
            DISTANCE is what is claimed: what a person set, else what was measured. MEASURED is \
            what recorders alone measured. Gaps, where nothing was measured, stand beside both \
            and are never inside them. UNRECORDED is the straight line to a trip's start from \
            where its vehicle's, or without one its source's, last trip ended, if more than \
            200 m: it is in no other figure. Only trips that have ended count. In JSON and \
            CSV sums are exact: all ways to add up give the same total. In text, where each line \
            is rounded, a total is the sum of the lines above it.

            Examples:
              ledger totals
              ledger totals --by week --year 2026
              ledger totals --by month --then-by class --year 2026
              ledger totals --by month --group 17
              ledger totals --by client --from 2026-04-01 --to 2026-06-30 --format csv
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Option(help: "What each line is about.")
    var by: TotalsGrouping = .month

    @Option(help: "What the lines within each of these are about.")
    var thenBy: TotalsGrouping?

    @OptionGroup var group: GroupOption
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "The unit of distances (default: the ledger's; km in CSV for programs).")
    var units: DistanceUnit?

    func validate() throws {
        guard by != thenBy else {
            throw ValidationError("--by and --then-by are the same: choose two different ones.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        var unknown: UnknownName?
        let (totals, unfinished, missing) = try ledger.read(asOf: try moment.instant(in: ledger)) {
            snapshot in
            let totals = try snapshot.totals(
                by: by,
                thenBy: thenBy,
                in: period,
                of: group.selection
            )
            if totals.lines.isEmpty { unknown = try snapshot.unknown(group: group.selection) }
            return (
                totals, try snapshot.unfinishedTrips(in: period, of: group.selection),
                try snapshot.missingEntries(of: group.selection)
            )
        }
        let format = try table.format(options.format)
        try show(totals, missing, as: format, style: table.style(for: ledger, unit: units))
        if format == .csv, totals.lines.isEmpty { Diagnostic.note(missing) }
        Diagnostic.sayUnfinished(unfinished)
        Diagnostic.note(unknown)
    }

    /// Writes the groups and their total; spreadsheets get no total, because a sum over a column
    /// would count it twice.
    private func show(
        _ totals: TotalsTable,
        _ missing: MissingEntries,
        as format: RowFormat,
        style: TextStyle
    ) throws {
        let lines = TotalsLine.all(of: totals)
        let columns = try table.chosen(
            of: TotalsLine.columns(by: by, thenBy: thenBy),
            as: format,
            noting: missing
        )
        try table.output.writing { output in
            if format == .text { try output.writeHead(missing) }
            guard format == .text else {
                return try output.write(
                    format == .csv ? lines.dropLast() : lines,
                    columns,
                    as: format,
                    style: style,
                    csvUnit: units ?? .kilometers
                )
            }
            try output.writeTable(columns.table(of: lines, style), style)
            try output.writeSentences(
                """

                \(TotalsLine.remark(on: lines, style))\
                \(totals.period.localDay.sentence)
                Gaps, where nothing was measured, stand beside the distance and are never inside \
                it.
                \(totals.unrecorded.count > 0 ? UnrecordedTotal.sentence + "\n" : "")\
                \(totals.overlapping.text)\(totals.uncounted.text(style))
                """
            )
        }
    }
}
