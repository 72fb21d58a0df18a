import ArgumentParser
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger

/// The command `ledger calendar`.
struct CalendarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: "Draws a year with a field for each day, the darker the further was driven.",
        discussion: """
            The distances are those of `ledger totals --by day`. For a calendar program there is \
            `ledger trips --format ics`.

            Examples:
              ledger calendar
              ledger calendar --year 2025
              ledger calendar --year 2025 -o year.svg --language de
            """
    )

    @OptionGroup var book: LedgerOption

    @OptionGroup var picture: PictureOptions

    @Option(help: "The year (default: that of the last trip).")
    var year: Int?

    @OptionGroup var group: GroupOption
    @OptionGroup var moment: AsOfOption

    @Option(help: "The unit of distances (default: the ledger's).")
    var units: DistanceUnit?

    func validate() throws {
        if let year { try PeriodOptions.requireFourDigits(year) }
    }

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        let period = LocalPeriod(from: nil, to: nil, localDay: try ledger.requireClock())
        var unknown: UnknownName?
        let (totals, missing) = try ledger.read(asOf: try moment.instant(in: ledger)) { snapshot in
            let totals = try snapshot.totals(by: .day, in: period, of: group.selection)
            if totals.lines.isEmpty { unknown = try snapshot.unknown(group: group.selection) }
            return (totals, try snapshot.missingEntries(of: group.selection))
        }
        defer { Diagnostic.note(unknown) }
        let last = totals.lines.last?.name.flatMap { CivilDate($0) }
        if picture.form == .svg { Diagnostic.note(missing) }
        guard let year = year ?? last?.year else {
            return Diagnostic.say("There are no trips to draw.\n")
        }
        var style = TextStyle.screen(for: ledger, unit: units)
        style.language = picture.language
        if !picture.isForScreen { style.width = nil }
        let calendar = YearCalendar(year, totals, style)
        try picture.writing(to: .standard) { output in
            switch picture.form {
            case .text:
                try output.writeHead(missing)
                try output.write(calendar.text)
                let rule = style.words.text(period.localDay.phrase)
                try output.writeSentences("\n\(rule)\n", style)
            case .svg: try output.write { calendar.appendSVG(to: &$0) }
            }
        }
    }
}
