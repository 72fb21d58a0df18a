import ArgumentParser
import Projections
import Reports
import TotalsProjection
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger report log`.
struct ReportLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Prints the mileage log: a line for each trip, and the sums per class.",
        discussion: """
            Trips that count stand in order of their starts. DAYS is how many days after the trip \
            its details were entered. The head names the entries that the log was made from, so \
            that a printed one can be checked later. Text leaves out columns that say nothing; \
            CSV has no sums, so that adding up a column counts nothing twice: get them by --sums.

            Examples:
              ledger report log --year 2025
              ledger report log --from 2025-04-01 --to 2025-06-30 --vehicle van --class business
              ledger report log --year 2025 --format csv > mileage-2025.csv
              ledger report log --year 2025 --sums
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var days: PeriodOptions

    @Option(help: "Only trips with this vehicle.")
    var vehicle: String?

    @Option(name: .customLong("class"), help: "Only trips of this class.")
    var tripClass: TripClass?

    @Option(help: "The unit of distances in text and CSV: km or mi (default: the ledger's).")
    var units: DistanceUnit?

    @Flag(help: "Only the sums, without the trips.")
    var sums = false

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let period = try days.period(in: ledger)
        let log = try log(in: period, of: ledger)
        var shown = ShownMileageLog(
            log,
            of: ledger.founding,
            unit: units ?? ledger.founding.units,
            format: options.format,
            showsTrips: !sums
        )
        let filter = TripFilter(
            period: period,
            tripClass: tripClass,
            vehicle: vehicle,
            isOldestFirst: true
        )
        let unfinished = try Output.standard.writing { output in
            try shown.begin(output)
            let (head, unfinished) =
                shown.isStreamed
                ? try stream(filter, of: ledger, log, &shown, to: output)
                : try gather(filter, of: ledger, into: &shown)
            try shown.finish(output, head: head)
            return unfinished
        }
        Diagnostic.sayUnfinished(unfinished)
    }

    /// Shows the trips of a ledger as they are read.
    ///
    /// - Returns: The head that they were made from, and how many go on.
    private func stream(
        _ filter: TripFilter,
        of ledger: Ledger,
        _ log: MileageLog,
        _ shown: inout ShownMileageLog,
        to output: Output
    ) throws -> (head: LedgerHead, unfinished: Int) {
        var unfinished = 0
        let head = try ledger.readTrips(filter, inBatches: MileageBatch()) { row, batch in
            batch.add(row.booked, of: log)
        } _: { batch in
            unfinished += batch.unfinished
            try shown.add(batch.lines, to: output)
            batch.removeAll()
        }
        return (head, unfinished)
    }

    /// Adds the trips of a ledger, of which nothing is shown before the last.
    ///
    /// - Returns: The head that they were made from, and how many go on.
    private func gather(
        _ filter: TripFilter,
        of ledger: Ledger,
        into shown: inout ShownMileageLog
    ) throws -> (head: LedgerHead, unfinished: Int) {
        let (parts, head) = try ledger.gatherTrips(filter, inParts: shown.emptyPart) { trip, part in
            part.add(trip)
        }
        for part in parts { shown.add(part) }
        return (head, parts.reduce(0) { $0 + $1.unfinished })
    }

    /// Returns the log without trips, which knows places and odometers.
    private func log(in period: LocalPeriod, of ledger: Ledger) throws -> MileageLog {
        var log = MileageLog(
            in: period,
            vehicle: vehicle,
            tripClass: tripClass,
            places: try ledger.places(),
            vehicles: try ledger.vehicles()
        )
        if log.needsNotes {
            try ledger.readTrips(TripFilter(isOldestFirst: true)) { row in
                log.note(row.booked)
                return true
            }
        }
        return log
    }
}
