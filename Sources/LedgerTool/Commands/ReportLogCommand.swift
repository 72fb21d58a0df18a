import ArgumentParser
import Projections
import Reports
import RowFormats
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
        let unfinished = try Output.standard.writing { output in
            try ledger.read { try write($0, in: period, to: output) }
        }
        Diagnostic.sayUnfinished(unfinished)
    }

    /// Writes the log of a period, and returns how many of its trips go on.
    private func write(
        _ snapshot: borrowing Snapshot,
        in period: LocalPeriod,
        to output: Output
    ) throws -> Int {
        var log = MileageLog(
            in: period,
            vehicle: vehicle,
            tripClass: tripClass,
            places: try snapshot.places(),
            vehicles: try snapshot.vehicles()
        )
        if log.needsNotes {
            try snapshot.readTrips(TripFilter(isOldestFirst: true)) { row in
                log.note(row.booked)
                return true
            }
        }
        var shown = ShownMileageLog(
            log,
            of: snapshot.founding,
            unit: units ?? snapshot.founding.units,
            format: options.format,
            showsTrips: !sums
        )
        let filter = TripFilter(
            period: period,
            tripClass: tripClass,
            vehicle: vehicle,
            isOldestFirst: true
        )
        var unfinished = 0
        try snapshot.readTrips(filter) {
            try shown.begin(output)
        } forEach: { row in
            if row.booked.status == .active { unfinished += 1 }
            try shown.add(row.booked, to: output)
            return true
        }
        try shown.finish(output, head: snapshot.head)
        return unfinished
    }
}
