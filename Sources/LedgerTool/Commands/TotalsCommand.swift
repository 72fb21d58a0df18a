import ArgumentParser
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
            and are never inside them. Only trips that have ended count. Sums are exact: all ways \
            to add up give the same total.

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

    @Option(help: "The unit of distances in text and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        let totals = try ledger.totals(by: by, in: period)
        let shown = ShownTotals(totals, unit: units ?? ledger.founding.units)
        try Output.standard.writing { try shown.write(to: $0, as: options.format) }
        Diagnostic.sayUnfinished(try ledger.unfinishedTripCount(in: period))
    }
}
