package import TripEvents

/// How rows are written.
package enum RowFormat: String, CaseIterable, Sendable {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For programs that read tables, and for spreadsheets: ``CSVForm``.
    case csv

    /// For programs that take ids: one on each line.
    case ids
}

/// Writes rows one after the other: JSON and CSV at once, and text after the last row, when the
/// widths of its columns are known.
package struct RowWriter<Row> {
    private let columns: Columns<Row>
    private let format: RowFormat
    private let style: TextStyle
    private let form: CSVForm

    /// The rows as people see them; without rows in other formats.
    private var table: TextTable

    /// Whether there were no rows yet.
    package private(set) var isEmpty = true

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - columns: The columns of a row; for ids one of them MUST be an id.
    ///   - format: The format.
    ///   - style: How people see them.
    ///   - csvUnit: The unit of distances in CSV for programs; `nil` for metres.
    package init(
        _ columns: Columns<Row>,
        as format: RowFormat,
        style: TextStyle = TextStyle(),
        csvUnit: DistanceUnit? = nil
    ) {
        self.columns = columns
        self.format = format
        self.style = style
        form = CSVForm(style, unit: csvUnit)
        table = columns.table(style)
    }

    /// Appends what stands above the first row.
    package func begin(to bytes: inout [UInt8]) {
        if format == .csv { columns.appendCSVTitles(to: &bytes, form) }
    }

    /// Adds a row, and appends it if it can be written already.
    package mutating func add(_ row: Row, to bytes: inout [UInt8]) {
        isEmpty = false
        switch format {
        case .text: columns.add(row, to: &table, style)
        case .json:
            columns.appendJSON(row, to: &bytes, by: style.clock)
            bytes.append(UInt8(ascii: "\n"))
        case .csv: columns.appendCSV(row, to: &bytes, form)
        case .ids:
            columns.appendID(of: row, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// Hands over what is still to be written: closures that each append a line.
    ///
    /// - Returns: The titles of columns for which the line of a table had no room.
    @discardableResult
    package func finish(
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) rethrows -> [String] {
        guard !table.isEmpty else { return [] }
        return try table.write(
            within: style.width,
            emphasizing: style.usesEmphasis,
            write
        )
    }
}
