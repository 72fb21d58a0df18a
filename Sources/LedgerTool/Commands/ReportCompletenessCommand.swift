import ArgumentParser
import Reports
import RowFormats
import TripLedger

/// The command `ledger report completeness`.
struct ReportCompletenessCommand: PeriodReportMaking {
    static let configuration = CommandConfiguration(
        commandName: "completeness",
        abstract: "Lists what the mileage log lacks, beside what a tax office asks for.",
        discussion: """
            Trips without a purpose, a class, a vehicle or an end; entries that came late; gaps, \
            and days without a trip. With --jurisdiction a checklist says of each thing that is \
            asked for whether it is met, missing, or cannot be told, with the trips concerned. CSV \
            has a line for each trip and what it lacks; JSON names the first thousand of each. Of \
            a trip it tells the id, the day and the class alone.

            Examples:
              ledger report completeness --year 2025 --jurisdiction de
              ledger report completeness --year 2025 --format csv
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions

    @Option(
        help: """
            Whose requirements are checked, and whose tax year --year means: us, gb, ca, nl, de, \
            au or fr.
            """
    )
    var jurisdiction: LogJurisdiction?

    @Option(help: ArgumentHelp("After how many days an entry is late.", valueName: "days"))
    var lateAfter = LogJurisdiction.daysForEntries

    func validate() throws {
        guard lateAfter >= 0 else {
            throw ValidationError("--late-after is a number of days, and not negative.")
        }
    }

    var paperOf: String? { jurisdiction?.rawValue }

    func report(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        _ style: TextStyle
    ) throws -> CompletenessReport {
        try CompletenessReport(snapshot, frame, for: jurisdiction, daysForEntries: lateAfter)
    }
}
