import ArgumentParser
import Reports
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes what is handed to others: the mileage log, sums, checks and claims.",
        discussion: """
            A report follows from the log alone: the same entries, as of the same moment, give the \
            same bytes. With --issue the ledger notes that it was handed out, and can make those \
            bytes again whatever comes later.

            All can be written as a document: --format html is one file for browsers, with no \
            script and no network, and --format pdf is made by ledger-print. A document names its \
            entries on every page, also as a QR code; a draft does not.

            Examples:
              ledger report log --year 2025
              ledger report log --year 2025 -o log-2025.pdf
              ledger report summary --year 2025 --jurisdiction us
              ledger report completeness --year 2025 --jurisdiction de
              ledger report claim --jurisdiction us --year 2025
              ledger report log --year 2025 --issue > log-2025.txt
              ledger report reissue R1
            """,
        subcommands: [
            ReportLogCommand.self, ReportSummaryCommand.self, ReportReconcileCommand.self,
            ReportCompletenessCommand.self, ReportChangesCommand.self, ReportClaimCommand.self,
            ReportMethodsCommand.self, ReportIssuedCommand.self, ReportReissueCommand.self,
        ]
    )
}

/// The command `ledger report log`.
struct ReportLogCommand: ReportMaking {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints the mileage log: a line for each trip, and the sums per class.",
        discussion: """
            Trips that count stand in order of their starts. The columns: DATE, START and END by \
            the clock; FROM and TO; PURPOSE, CLIENT, CLASS and VEHICLE; ODOMETER and UNTIL, what \
            it showed at both ends, and BETWEEN, what it went on no trip before; DISTANCE as \
            claimed, MEASURED where that is another one, and EXCLUDED beside it; GAPS and GAP, \
            what was not measured; FLAGS; DAYS, how many days after the trip its details were \
            entered; TRIP, its id. Details that came more than seven days after the trip have the \
            flag late_entry, and changes of them late_change. \
            `ledger schema mileage-log --columns` has those of CSV.

            The head names the entries that the log was made from, so \
            that a printed one can be checked later. Text leaves out columns that say nothing; \
            CSV has no sums, so that adding up a column counts nothing twice: get them by --sums.

            The log is computed again for it, fix by fix. With --draft the figures come from the \
            views, which is faster; a draft names no root.

            A trip counts once silence or a dead device has ended it. "As of" says when that last \
            happened: with --as-of that time, the same log comes out in any year.

            Examples:
              ledger report log --year 2025
              ledger report log --from 2025-04-01 --to 2025-06-30 --vehicle van
              ledger report log --year 2025 --format csv > mileage-2025.csv
              ledger report log --year 2025 --sums
              ledger report log --year 2025 --language de -o Fahrtenbuch-2025.html
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var table: TableShape
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(name: .customLong("class"), help: "Only trips of this class.")
    var tripClass: TripClass?

    @Option(help: "The unit of distances for people and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    @Flag(help: "Only the sums, without the trips.")
    var sums = false

    @Flag(help: "Take the figures from the views: quick, and not for handing over.")
    var draft = false

    @OptionGroup var privacy: PrivacyOption
    @OptionGroup var issuing: IssueOptions

    func validate() throws {
        guard !sums || table.columns == nil else {
            throw ValidationError("--columns are those of the trips: use it without --sums.")
        }
        try issuing.validate(isDraft: draft, days: days)
    }

    var output: Output { table.output }

    func make(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let period = try days.period(in: circumstances.ledger)
        let sheet = MileageSheet(
            in: period,
            vehicle: vehicle,
            tripClass: tripClass,
            columns: try table.chosen(of: MileageLine.columns, as: documents.rows),
            style: circumstances.style(
                unit: units,
                clock: period.localDay,
                isWide: table.wide,
                for: documents
            ),
            format: documents.rows,
            showsTrips: !sums,
            isDraft: draft,
            hidesPrivate: privacy.hidesPrivate
        )
        var remarks = ReportRemarks(days: period.days)
        guard documents.isDocument else {
            remarks.unfinished = try sheet.write(snapshot, write)
            return remarks
        }
        let (page, unfinished) = try sheet.page(snapshot)
        remarks.unfinished = unfinished
        try documents.write(page, of: circumstances.ledger, write)
        return remarks
    }
}
