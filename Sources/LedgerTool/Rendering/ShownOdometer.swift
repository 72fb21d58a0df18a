import Geodesy
import Projections
import TripEvents

/// What an odometer showed, compared with the trips.
struct ShownOdometer {
    private static let titles = [
        "vehicle", "read_at", "value", "unit", "method", "actor", "odometer_m", "difference_m",
        "trips_m", "share", "backwards",
    ]

    private let comparisons: [OdometerComparison]
    private let unit: DistanceUnit

    init(_ comparisons: [OdometerComparison], unit: DistanceUnit) {
        self.comparisons = comparisons
        self.unit = unit
    }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !comparisons.isEmpty { try table.write(to: output) }
        case .json:
            for compared in comparisons { try output.writeLine(Self.json(compared)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for compared in comparisons { try output.write(Self.csv(compared)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("READ"), .numbers("ODOMETER"), .numbers("DIFFERENCE"), .numbers("TRIPS"),
            .numbers("SHARE"), .words("METHOD"), .words("BY"), .words("REMARK"),
        ])
        for compared in comparisons {
            let reading = compared.reading.reading
            let share = compared.explainedThousandths.map { FixedPoint.text($0, decimals: 1) }
            table.add([
                LocalTime.text(compared.reading.readAt),
                "\(reading.value) \(reading.unit.rawValue)",
                compared.difference.map { ShownDistance.text($0, in: unit) } ?? "-",
                compared.driven.map { ShownDistance.text($0, in: unit) } ?? "-",
                share.map { "\($0) %" } ?? "-",
                reading.method?.rawValue ?? "-",
                compared.reading.actor.map(Excerpt.escaped) ?? "-",
                compared.isBackwards ? "went backwards" : "",
            ])
        }
        return table
    }

    /// For programs (`odometer.v1.schema.json`).
    private static func json(_ compared: OdometerComparison) -> RowJSON {
        let reading = compared.reading.reading
        var json = RowJSON()
        json.add("vehicle", text: reading.vehicle)
        json.add("read_at", time: compared.reading.readAt)
        json.add("value", number: reading.value)
        json.add("unit", text: reading.unit.rawValue)
        json.add("method", text: reading.method?.rawValue)
        json.add("actor", text: compared.reading.actor)
        let figures = [
            ("odometer_m", compared.reading.distance.millimeters),
            ("difference_m", compared.difference?.millimeters),
            ("trips_m", compared.driven?.millimeters), ("share", compared.explainedThousandths),
        ]
        for (name, figure) in figures {
            if let figure {
                json.add(name, thousandths: figure)
            } else {
                json.addNull(name)
            }
        }
        json.add("backwards", boolean: compared.isBackwards)
        return json
    }

    private static func csv(_ compared: OdometerComparison) -> CSVRow {
        let reading = compared.reading.reading
        let readAt = compared.reading.readAt
        var row = CSVRow()
        row.add(text: reading.vehicle)
        row.add(text: RFC3339.text(readAt.timestamp, utcOffset: readAt.utcOffset))
        row.add(number: reading.value.description)
        row.add(text: reading.unit.rawValue)
        row.add(text: reading.method?.rawValue)
        row.add(text: compared.reading.actor)
        for distance in [compared.reading.distance, compared.difference, compared.driven] {
            row.add(number: distance.map(ShownDistance.meters))
        }
        row.add(
            number: compared.explainedThousandths.map { FixedPoint.text($0, decimals: 3) }
        )
        row.add(text: compared.isBackwards ? "true" : "false")
        return row
    }
}
