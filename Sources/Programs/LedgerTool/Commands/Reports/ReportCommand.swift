import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes what is handed to others: the mileage log, sums, checks and claims.",
        discussion: """
            A report follows from the log alone: the same entries, as of the same moment, give \
            the same bytes. With --issue the ledger notes that it was handed out, and can make \
            those bytes again whatever comes later.

            All can be written as a document: --format html is one file for browsers, with no \
            script and no network, and --format pdf is made by ledger-print. A document names its \
            entries on every page, also as a QR code; a draft does not.

            With --request a report is asked for by a value: a file with one object of JSON, or - \
            for standard input, as `ledger schema report-request` describes it. It is what the \
            ledger stores with an issued report, and a bundle beside each of its reports.

            Examples:
              ledger report log --year 2025
              ledger report log --year 2025 -o log-2025.pdf
              ledger report summary --year 2025 --jurisdiction us
              ledger report completeness --year 2025 --jurisdiction de
              ledger report claim --jurisdiction us --year 2025
              ledger report log --year 2025 --issue > log-2025.txt
              ledger report reissue R1
              ledger report --request log-2025.json > log-2025.txt
            """,
        subcommands: [
            ReportLogCommand.self, ReportSummaryCommand.self, ReportReconcileCommand.self,
            ReportCompletenessCommand.self, ReportChangesCommand.self, ReportClaimCommand.self,
            ReportMethodsCommand.self, ReportIssuedCommand.self, ReportReissueCommand.self,
            ReportRequestedCommand.self,
        ],
        defaultSubcommand: ReportRequestedCommand.self
    )
}

/// The command `ledger report log`.
struct ReportLogCommand: ReportMaking {
    static let kind = ReportKind.log

    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints the mileage log: a line for each trip, and the sums per class.",
        discussion: """
            Trips that count stand in order of their starts. Details that came more than seven \
            days after the trip have the flag late_entry, and changes of them late_change. \
            `ledger help columns` says what stands in each column, and `ledger help reports` what \
            the options mean.

            The head names the entries that the log was made from, so that a printed one can be \
            checked later. Text leaves out columns that say nothing; CSV has no sums, so that \
            adding up a column counts nothing twice: get them by --sums.

            The log is computed again for files, documents and --issue; a screen shows the \
            views, or with --proved the log. A draft, from the views, names no root. A trip counts \
            once silence or a dead device has ended it. "As of" says when that last happened: with \
            --as-of that time, the same log comes out in any year.

            Examples:
              ledger report log --year 2025
              ledger report log --from 2025-04-01 --to 2025-06-30 --vehicle van
              ledger report log --year 2025 --format csv > mileage-2025.csv
              ledger report log --year 2025 --language de -o Fahrtenbuch-2025.html
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.driver)
    var driver: String?

    @Option(.tripClass)
    var tripClass: TripClass?

    @Flag(.sums)
    var sums = false

    @Option(.columns)
    var columns: String?

    @Option(.privateAs)
    var privateAs: PrivateTrips?

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.driver = driver
        request.tripClass = tripClass
        request.sums = sums ? true : nil
        request[.columns] = columns.map { .text($0) }
        request.privateAs = privateAs
    }
}
