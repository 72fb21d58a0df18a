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
            same bytes.

            Examples:
              ledger report log --year 2025
              ledger report summary --year 2025 --jurisdiction us
              ledger report completeness --year 2025 --jurisdiction de
              ledger report claim --jurisdiction us --year 2025
            """,
        subcommands: [
            ReportLogCommand.self, ReportSummaryCommand.self, ReportReconcileCommand.self,
            ReportCompletenessCommand.self, ReportChangesCommand.self, ReportClaimCommand.self,
        ]
    )
}

/// What is shown of private trips.
enum PrivateTrips: String, CaseIterable, ExpressibleByArgument {
    case all
    case kmOnly = "km-only"
}

/// The command `ledger report log`.
struct ReportLogCommand: ParsableCommand {
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
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(name: .customLong("class"), help: "Only trips of this class.")
    var tripClass: TripClass?

    @Option(help: "The unit of distances in text and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    @Flag(help: "Only the sums, without the trips.")
    var sums = false

    @Flag(help: "Take the figures from the views: quick, and not for handing over.")
    var draft = false

    @Option(
        help: "What is shown of private trips: all, or km-only, without places and times."
    )
    var privateAs = PrivateTrips.all

    func validate() throws {
        guard !sums || table.columns == nil else {
            throw ValidationError("--columns are those of the trips: use it without --sums.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        let sheet = MileageSheet(
            in: period,
            vehicle: vehicle,
            tripClass: tripClass,
            columns: try table.chosen(of: MileageLine.columns, as: options.format),
            style: table.style(for: ledger, unit: units),
            format: options.format,
            showsTrips: !sums,
            isDraft: draft,
            hidesPrivate: privateAs == .kmOnly
        )
        let unfinished = try table.output.writing { output in
            func write(_ snapshot: borrowing Snapshot) throws -> UnfinishedTrips {
                try sheet.write(snapshot) { try output.write($0) }
            }
            guard !draft else {
                return try ledger.read(asOf: try moment.instant(in: ledger), write)
            }
            let meter = ProgressMeter()
            let progress: (UInt64, UInt64) -> Void = { meter.show(entries: $0, of: $1) }
            return try ledger.readFromLog(
                asOf: try moment.instant(in: ledger),
                onProgress: progress
            ) { snapshot in
                meter.clear()
                return try write(snapshot)
            }
        }
        Diagnostic.sayUnfinished(unfinished)
        if let vehicle { try Diagnostic.noteIfUnknown(vehicle: vehicle, in: ledger) }
    }
}
