import Projections
import TripEvents

/// The custom fields of trips.
struct ShownFields {
    private static let titles = ["key", "label", "value_type", "options", "order"]

    private let definitions: [FieldDefined]

    init(_ definitions: [FieldDefined]) {
        self.definitions = definitions
    }

    /// Whether there are none.
    var isEmpty: Bool { definitions.isEmpty }

    /// Writes the list.
    func write(to output: Output, as format: OutputFormat) throws(OutputError) {
        switch format {
        case .text:
            if !isEmpty { try table.write(to: output) }
        case .json:
            for definition in definitions { try output.writeLine(Self.json(definition)) }
        case .csv:
            try output.write(CSVRow(titles: Self.titles))
            for definition in definitions { try output.write(Self.csv(definition)) }
        }
    }

    private var table: TextTable {
        var table = TextTable([
            .words("KEY"), .words("LABEL"), .words("TYPE"), .numbers("ORDER"), .words("OPTIONS"),
        ])
        for definition in definitions {
            table.add([
                Excerpt.escaped(definition.key), Excerpt.escaped(definition.label),
                definition.valueType.rawValue, definition.order.map { String($0) } ?? "-",
                definition.options.map { Excerpt.escaped($0.joined(separator: ", ")) } ?? "-",
            ])
        }
        return table
    }

    /// For programs (`field.v1.schema.json`).
    private static func json(_ definition: FieldDefined) -> RowJSON {
        var json = RowJSON()
        json.add("key", text: definition.key)
        json.add("label", text: definition.label)
        json.add("value_type", text: definition.valueType.rawValue)
        if let options = definition.options { json.add("options", texts: options) }
        if let order = definition.order { json.add("order", integer: Int64(order)) }
        return json
    }

    private static func csv(_ definition: FieldDefined) -> CSVRow {
        var row = CSVRow()
        row.add(text: definition.key)
        row.add(text: definition.label)
        row.add(text: definition.valueType.rawValue)
        row.add(text: definition.options?.joined(separator: "; "))
        row.add(number: definition.order.map { String($0) })
        return row
    }
}
