import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger report summary`.
struct ReportSummaryCommand: ReportMaking {
    static let kind = ReportKind.summary

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
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.driver)
    var driver: String?

    @Option(.jurisdiction)
    var jurisdiction: LogJurisdiction?

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.driver = driver
        request.jurisdiction = jurisdiction?.rawValue
    }
}
