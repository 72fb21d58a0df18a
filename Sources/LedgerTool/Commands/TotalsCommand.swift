import ArgumentParser
import RowFormats
import TotalsProjection
import TripEvents
import TripLedger

/// The command `ledger totals`.
struct TotalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals",
        abstract: "Adds up trips by day, week, month, year, vehicle, class, client or source.",
        discussion: """
            DISTANCE is what is claimed: what a person set, else what was measured. MEASURED is \
            what recorders alone measured. Gaps, where nothing was measured, stand beside both \
            and are never inside them. UNRECORDED is the straight line to a trip's start from \
            where its vehicle's, or without one its source's, last trip ended, if more than \
            200 m: it is in no other figure. Only trips that have ended count. Sums are exact: \
            all ways to add up give the same total.

            Examples:
              ledger totals
              ledger totals --by week --year 2026
              ledger totals --by client --from 2026-04-01 --to 2026-06-30 --format csv
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "What each line is about.")
    var by: TotalsGrouping = .month

    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "The unit of distances in text and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        let (totals, unfinished, missing) = try ledger.read(asOf: moment.instant) { snapshot in
            (
                try snapshot.totals(by: by, in: period),
                try snapshot.unfinishedTripCount(in: period),
                try snapshot.missingEntries()
            )
        }
        try show(totals, missing, unit: units ?? ledger.founding.units)
        Diagnostic.sayUnfinished(unfinished)
    }

    /// Writes the groups and, but for spreadsheets, where a sum over a column would count twice,
    /// their total.
    private func show(
        _ totals: TotalsTable,
        _ missing: MissingEntries,
        unit: DistanceUnit
    ) throws {
        let lines = TotalsLine.all(of: totals)
        try Output.standard.writing { output in
            if options.format == .text { try output.writeHead(missing) }
            try output.write(
                options.format == .csv ? lines.dropLast() : lines,
                options.format == .text
                    ? TotalsLine.columns(by: by) : TotalsLine.columns(by: by).noting(missing),
                as: options.format,
                unit: unit,
                csvUnit: unit
            )
            guard options.format == .text else { return }
            try output.write(
                """

                \(totals.period.localDay.sentence)
                Gaps, where nothing was measured, stand beside the distance and are never inside \
                it.

                """
            )
            if totals.unrecorded.count > 0 {
                try output.write(UnrecordedTotal.sentence + "\n")
            }
            try output.write(totals.overlapping.text)
        }
    }
}
