/// Lines of cells in columns that are as wide as they need to be.
struct TextTable {
    /// A column.
    struct Column {
        let title: String
        let isNumber: Bool

        /// A column of words, aligned to the left.
        static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }

        /// A column of numbers, aligned to the right.
        static func numbers(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    private let columns: [Column]
    private var widths: [Int]
    private var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
        widths = columns.map(\.title.count)
    }

    /// Adds a line; it MUST have a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a line has a cell for each column")
        for (index, cell) in cells.enumerated() { widths[index] = max(widths[index], cell.count) }
        rows.append(cells)
    }

    /// Writes the titles and the lines.
    func write(to output: Output) throws(OutputError) {
        try output.writeLine(line(columns.map(\.title)))
        for row in rows { try output.writeLine(line(row)) }
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { line += "  " }
            let padding = String(repeating: " ", count: widths[index] - cell.count)
            line += columns[index].isNumber ? padding + cell : cell + padding
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
