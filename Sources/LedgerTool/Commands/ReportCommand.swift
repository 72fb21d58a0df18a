import ArgumentParser
import Geodesy
import Projections
import Reports
import RowFormats
import TotalsProjection
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes what is handed to others: the mileage log.",
        discussion: """
            A report follows from the log alone: the same entries give the same bytes.

            Example:
              ledger report log --year 2025
            """,
        subcommands: [
            ReportLogCommand.self
        ]
    )
}

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
        var shown = MileageLogWriter(
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

/// A mileage log while it is written.
struct MileageLogWriter {
    private let founding: LedgerCreated
    private let unit: DistanceUnit
    private let format: RowFormat
    private let showsTrips: Bool

    private var log: MileageLog
    private var table: TextTable

    init(
        _ log: MileageLog,
        of founding: LedgerCreated,
        unit: DistanceUnit,
        format: RowFormat,
        showsTrips: Bool
    ) {
        self.log = log
        self.founding = founding
        self.unit = unit
        self.format = format
        self.showsTrips = showsTrips
        table = MileageLine.columns.table(unit: unit)
    }

    /// Writes what comes before the first trip.
    func begin(_ output: Output) throws {
        guard format == .csv else { return }
        try output.write {
            if showsTrips {
                MileageLine.columns.appendCSVTitles(to: &$0, unit: unit)
            } else {
                MileageSum.columns.appendCSVTitles(to: &$0, unit: unit)
            }
        }
    }

    /// Adds a trip, and writes its line as soon as that can be done.
    ///
    /// Trips MUST come in order of their starts.
    mutating func add(_ booked: BookedTrip, to output: Output) throws(OutputError) {
        guard let line = log.add(booked), showsTrips else { return }
        switch format {
        case .text: MileageLine.columns.add(line, to: &table, unit: unit)
        case .json: try output.writeLine(json: line)
        case .csv: try output.write { MileageLine.columns.appendCSV(line, to: &$0, unit: unit) }
        }
    }

    /// Writes what comes after the last trip, which the entries up to `head` have given.
    func finish(_ output: Output, head: LedgerHead) throws {
        switch format {
        case .text: try writeText(to: output, head: head)
        case .json:
            for sum in log.sums { try output.writeLine(json: sum) }
            try output.writeLine(json: MileageTotal(log, of: founding, head: head))
        case .csv:
            guard !showsTrips else { return }
            for sum in log.sums {
                try output.write { MileageSum.columns.appendCSV(sum, to: &$0, unit: unit) }
            }
        }
    }

    private func writeText(to output: Output, head: LedgerHead) throws {
        try output.write("Mileage log\n\(FactSheet(facts(head)).text)\n")
        if !table.isEmpty {
            try table.write { try output.write($0) }
            try output.write("\n")
        }
        try output.write(log.sums + [log.total], MileageSum.columns, as: .text, unit: unit)
        try output.write(
            """

            \(log.period.localDay.sentence)
            Gaps, where nothing was measured, stand beside the distance and are never inside it.

            """
        )
    }

    private func facts(_ head: LedgerHead) -> [(label: String, fact: String)] {
        var facts = [("Period", period)]
        if let vehicle = log.vehicle { facts.append(("Vehicle", Excerpt.escaped(vehicle))) }
        if let tripClass = log.tripClass { facts.append(("Class", tripClass.rawValue)) }
        return facts + [
            ("Time zone", Excerpt.escaped(log.period.localDay.zone.name)),
            ("Unit", unit.rawValue), ("Ledger", founding.ledger),
            ("Entries", String(head.size)), ("Root", head.root),
        ]
    }

    private var period: String {
        switch (log.period.from, log.period.to) {
        case (nil, nil): "all days"
        case (let from?, nil): "from \(from)"
        case (nil, let to?): "until \(to)"
        case (let from?, let to?): "\(from) to \(to)"
        }
    }
}
