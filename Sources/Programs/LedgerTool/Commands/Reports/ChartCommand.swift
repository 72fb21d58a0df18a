import ArgumentParser
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger

/// The command `ledger chart`.
struct ChartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Draws the distances of days, weeks, months, vehicles or classes as bars.",
        discussion: """
            The distances are those of `ledger totals`: what is claimed, of trips that have ended. \
            Between the first and the last time, those without trips are drawn too, \
            but more than 400 in a row only as one line (…).

            Examples:
              ledger chart
              ledger chart --by week --year 2026
              ledger chart --by class -o classes.svg
            """
    )

    @OptionGroup var book: LedgerOption

    @OptionGroup var picture: PictureOptions

    @Option(help: "What each bar is about.")
    var by: TotalsGrouping = .month

    @OptionGroup var days: PeriodOptions
    @OptionGroup var group: GroupOption
    @OptionGroup var moment: AsOfOption

    @Option(help: "The unit of distances (default: the ledger's).")
    var units: DistanceUnit?

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        var unknown: UnknownName?
        let (totals, unfinished, missing) = try ledger.read(asOf: try moment.instant(in: ledger)) {
            snapshot in
            let totals = try snapshot.totals(by: by, in: period, of: group.selection)
            if totals.lines.isEmpty { unknown = try snapshot.unknown(group: group.selection) }
            return (
                totals, try snapshot.unfinishedTrips(in: period, of: group.selection),
                try snapshot.missingEntries(of: group.selection)
            )
        }
        var style = TextStyle.screen(for: ledger, unit: units)
        style.language = picture.language
        if !picture.isForScreen { style.width = nil }
        let chart = BarChart(totals, style)
        if chart.isEmpty { Diagnostic.say("There are no trips to draw.\n") }
        Diagnostic.note(unknown)
        if picture.form == .svg { Diagnostic.note(missing) }
        guard !chart.isEmpty || picture.isForScreen else { return }
        try picture.writing(to: .paged) { output in
            switch picture.form {
            case .text:
                try output.writeHead(missing)
                guard !chart.isEmpty else { return }
                let rule = style.words.text(period.localDay.phrase)
                try output.write(chart.text)
                try output.writeSentences("\n\(chart.remark)\(rule)\n", style)
            case .svg: try output.write { chart.appendSVG(to: &$0) }
            }
        }
        Diagnostic.sayUnfinished(unfinished)
    }
}
