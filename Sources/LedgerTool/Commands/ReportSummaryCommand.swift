import ArgumentParser
import Reports
import RowFormats
import TripLedger

/// The command `ledger report summary`.
struct ReportSummaryCommand: PeriodReportMaking {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Adds up the kilometres of each vehicle and year, for the forms.",
        discussion: """
            The total, business, commuting, other and unclassified kilometres of each vehicle in \
            each year. With --jurisdiction years are its tax years, and the lines of its forms \
            follow: figures, never advice. JSON has months, their cumulative sums, and odometers \
            beside trips, as a chart needs them. Sums are those of `ledger report log`.

            Examples:
              ledger report summary --year 2025 --jurisdiction us --units mi
              ledger report summary --year 2025 --jurisdiction gb
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions

    @Option(help: "Whose forms and tax years are meant: us, gb, ca, nl, de, au or fr.")
    var jurisdiction: LogJurisdiction?

    var paperOf: String? { jurisdiction?.rawValue }

    func report(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        _ style: TextStyle
    ) throws -> SummaryReport {
        try SummaryReport(snapshot, frame, for: jurisdiction, style)
    }
}
