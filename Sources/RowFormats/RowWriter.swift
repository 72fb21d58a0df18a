package import TripEvents

/// How rows are written.
package enum RowFormat: String, CaseIterable, Sendable {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For spreadsheets: RFC 4180.
    case csv
}

/// Writes rows one after the other: JSON and CSV at once, text when the widths of its columns are
/// known, which is after the last row.
package struct RowWriter<Row> {
    private let columns: Columns<Row>
    private let format: RowFormat
    private let style: TextStyle
    private let csvUnit: DistanceUnit?
    private let spreadsheet: DecimalMark?

    /// The rows as people see them; without rows in other formats.
    private var table: TextTable

    /// Whether there were no rows yet.
    package private(set) var isEmpty = true

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - columns: What a row consists of.
    ///   - format: The format.
    ///   - style: How people see them.
    ///   - csvUnit: The unit of distances in CSV; `nil` for metres.
    ///   - spreadsheet: What numbers look like in CSV that a spreadsheet program opens; `nil` for
    ///     CSV that programs read.
    package init(
        _ columns: Columns<Row>,
        as format: RowFormat,
        style: TextStyle = TextStyle(),
        csvUnit: DistanceUnit? = nil,
        spreadsheet: DecimalMark? = nil
    ) {
        self.columns = columns
        self.format = format
        self.style = style
        self.csvUnit = csvUnit
        self.spreadsheet = spreadsheet
        table = columns.table(style)
    }

    /// Appends what stands above the first row.
    package func begin(to bytes: inout [UInt8]) {
        guard format == .csv else { return }
        // The byte order mark: without it, spreadsheet programs take UTF-8 for an older encoding.
        if spreadsheet != nil { bytes += [0xEF, 0xBB, 0xBF] }
        columns.appendCSVTitles(to: &bytes, unit: csvUnit, mark: spreadsheet ?? .point)
    }

    /// Adds a row, and appends it if it can be written already.
    package mutating func add(_ row: Row, to bytes: inout [UInt8]) {
        isEmpty = false
        switch format {
        case .text: columns.add(row, to: &table, style)
        case .json:
            columns.appendJSON(row, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        case .csv:
            columns.appendCSV(row, to: &bytes, unit: csvUnit, mark: spreadsheet ?? .point)
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
