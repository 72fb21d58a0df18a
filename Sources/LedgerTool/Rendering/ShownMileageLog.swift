import Geodesy
import Projections
import Reports
import TotalsProjection
import TripEvents
import TripLedger

/// A mileage log while it is written.
struct ShownMileageLog {
    private let founding: LedgerCreated
    private let unit: DistanceUnit
    private let format: OutputFormat
    private let showsTrips: Bool

    /// Whether lines are written before the last trip is known.
    var isStreamed: Bool { showsTrips && format != .text }

    /// What parts of it begin with.
    var emptyPart: MileagePart { MileagePart(of: log, table: showsTrips ? table : nil) }

    private var log: MileageLog
    private var table: MileageTable

    // Used again for each trip.
    private var row = CSVRow()

    init(
        _ log: MileageLog,
        of founding: LedgerCreated,
        unit: DistanceUnit,
        format: OutputFormat,
        showsTrips: Bool
    ) {
        self.log = log
        self.founding = founding
        self.unit = unit
        self.format = format
        self.showsTrips = showsTrips
        table = MileageTable(unit: unit)
    }

    /// Writes what comes before the first trip.
    func begin(_ output: Output) throws(OutputError) {
        guard format == .csv else { return }
        let titles = showsTrips ? MileageLine.titles(in: unit) : MileageSum.titles(in: unit)
        try output.write(CSVRow(titles: titles))
    }

    /// Adds trips after those that were added before.
    mutating func add(_ part: MileagePart) {
        log.add(part.log)
        if let lines = part.table { table.add(lines) }
    }

    /// Adds trips, and writes their lines; the log MUST be one that is streamed.
    mutating func add(_ lines: [MileageLine], to output: Output) throws(OutputError) {
        for line in lines {
            log.add(line)
            if format == .json {
                try output.writeLine { line.appendJSON(to: &$0) }
            } else {
                row.removeAll()
                for cell in line.cells { row.add(cell, in: unit) }
                try output.write(row)
            }
        }
    }

    /// Writes what comes after the last trip, which the entries up to `head` have given.
    func finish(_ output: Output, head: LedgerHead) throws(OutputError) {
        switch format {
        case .text: try writeText(to: output, head: head)
        case .json:
            for sum in log.sums { try output.writeLine(sum.json(kind: "sum")) }
            try output.writeLine(total(head))
        case .csv:
            guard !showsTrips else { return }
            for sum in log.sums {
                var row = CSVRow()
                for cell in sum.cells { row.add(cell, in: unit) }
                try output.write(row)
            }
        }
    }

    private func writeText(to output: Output, head: LedgerHead) throws(OutputError) {
        try output.write("Mileage log\n\(FactSheet(facts(head)).text)\n")
        if !table.isEmpty {
            try table.write(to: output)
            try output.write("\n")
        }
        try MileageTable.sums(log, unit: unit).write(to: output)
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

    private func total(_ head: LedgerHead) -> RowJSON {
        var json = log.total.json(kind: "total")
        json.add("from", text: log.period.from?.description)
        json.add("to", text: log.period.to?.description)
        json.add("vehicle", text: log.vehicle)
        json.add("class", text: log.tripClass?.rawValue)
        json.add("time_zone", text: log.period.localDay.zone.name)
        json.add("uses_own_offsets", boolean: log.period.localDay.usesOwnOffsets)
        json.add("ledger", text: founding.ledger)
        json.add("size", integer: Int64(head.size))
        json.add("root", text: head.root)
        return json
    }
}
