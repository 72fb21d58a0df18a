import Geodesy
import Projections
import Reports
import RowFormats
import TotalsProjection
import TripEvents
import TripLedger

/// A mileage log while it is written.
struct ShownMileageLog {
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
