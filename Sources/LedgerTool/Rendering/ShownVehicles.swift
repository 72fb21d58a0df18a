import Projections
import TripEvents

/// Vehicles, one on a line.
struct ShownVehicles {
    private static let titles = [
        "vehicle", "plate", "make", "model", "in_service_since", "odometer", "unit", "read_at",
    ]

    private let book: VehicleBook

    init(_ book: VehicleBook) {
        self.book = book
    }

    /// Whether there are none.
    var isEmpty: Bool { book.names.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for name in book.names { try output.writeLine(json(name)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for name in book.names { try output.write(csv(name)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("VEHICLE"), .words("PLATE"), .words("MAKE"), .words("MODEL"),
            .words("IN SERVICE"), .numbers("ODOMETER"), .words("READ"),
        ])
        for name in book.names {
            let vehicle = book.vehicle(named: name)?.registration
            let last = book.readings(of: name).last
            let texts = [name, vehicle?.plate, vehicle?.make, vehicle?.model]
            table.add(
                texts.map { $0.map(Excerpt.escaped) ?? "-" } + [
                    vehicle?.inServiceSince?.description ?? "-",
                    last.map { "\($0.reading.value) \($0.reading.unit.rawValue)" } ?? "-",
                    last.map { LocalTime.text($0.readAt) } ?? "-",
                ]
            )
        }
        return table
    }

    /// For programs (`vehicle.v1.schema.json`).
    private func json(_ name: String) -> RowJSON {
        let vehicle = book.vehicle(named: name)?.registration
        var json = RowJSON()
        json.add("vehicle", text: name)
        json.add("registered", boolean: vehicle != nil)
        json.add("plate", text: vehicle?.plate)
        json.add("make", text: vehicle?.make)
        json.add("model", text: vehicle?.model)
        json.add("in_service_since", text: vehicle?.inServiceSince?.description)
        guard let last = book.readings(of: name).last else {
            json.addNull("odometer")
            return json
        }
        json.add("odometer") { odometer in
            odometer.add("value", number: last.reading.value)
            odometer.add("unit", text: last.reading.unit.rawValue)
            odometer.add("read_at", time: last.readAt)
        }
        return json
    }

    private func csv(_ name: String) -> CSVRow {
        let vehicle = book.vehicle(named: name)?.registration
        let last = book.readings(of: name).last
        var row = CSVRow()
        for text in [name, vehicle?.plate, vehicle?.make, vehicle?.model] { row.add(text: text) }
        row.add(text: vehicle?.inServiceSince?.description)
        row.add(number: last?.reading.value.description)
        row.add(text: last?.reading.unit.rawValue)
        row.add(
            text: last.map { RFC3339.text($0.readAt.timestamp, utcOffset: $0.readAt.utcOffset) }
        )
        return row
    }
}
