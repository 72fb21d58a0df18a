/// Lines of cells in columns that are as wide as they need to be.
///
/// All cells stand in one piece of memory, so that a table of many lines is small and fast.
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

    private static let space = UInt8(ascii: " ")
    private static let gap = 2

    private let columns: [Column]

    /// Whether columns are left out in which no line says anything.
    private let leavesOutEmptyColumns: Bool

    /// The widest cell of each column, in characters.
    private var widths: [Int]

    /// The cells, line by line, without anything in between.
    private var text: [UInt8] = []

    /// Where each cell ends.
    private var ends: [Int] = []

    /// Of cells that are not ASCII, by how many they have more bytes than characters.
    private var excess: [Int: Int] = [:]

    init(_ columns: [Column], leavesOutEmptyColumns: Bool = false) {
        self.columns = columns
        self.leavesOutEmptyColumns = leavesOutEmptyColumns
        widths = columns.map { _ in 0 }
    }

    /// Whether there are no lines.
    var isEmpty: Bool { ends.isEmpty }

    /// Adds a line; it MUST have a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a line has a cell for each column")
        for cell in cells { addCell(cell) }
    }

    /// Adds the next cell; lines MUST be completed.
    mutating func addCell(_ cell: String) {
        addCell { $0.append(contentsOf: cell.utf8) }
    }

    /// Adds the next cell, which `append` appends to what it is given; lines MUST be completed.
    mutating func addCell(_ append: (inout [UInt8]) -> Void) {
        let start = text.count
        append(&text)
        var width = text.count - start
        var bits: UInt8 = 0
        for index in start..<text.count { bits |= text[index] }
        if bits >= 0x80 {
            let characters = String(decoding: text[start...], as: UTF8.self).count
            excess[ends.count] = width - characters
            width = characters
        }
        let column = ends.count % columns.count
        widths[column] = max(widths[column], width)
        ends.append(text.count)
    }

    /// Writes the titles and the lines.
    func write(to output: Output) throws(OutputError) {
        let shown = columns.indices.filter { !leavesOutEmptyColumns || self.widths[$0] > 0 }
        let widths = columns.indices.map { max(self.widths[$0], columns[$0].title.count) }
        var line: [UInt8] = []
        for column in shown {
            let title = columns[column].title
            let padding = widths[column] - title.count
            append(Array(title.utf8)[...], to: &line, column, padding: padding)
        }
        try output.writeLine(Self.trimmed(&line))
        for first in stride(from: 0, to: ends.count, by: columns.count) {
            line.removeAll(keepingCapacity: true)
            for column in shown {
                let cell = first + column
                let bytes = text[(cell == 0 ? 0 : ends[cell - 1])..<ends[cell]]
                let width = bytes.count - (excess.isEmpty ? 0 : excess[cell] ?? 0)
                append(bytes, to: &line, column, padding: widths[column] - width)
            }
            try output.writeLine(Self.trimmed(&line))
        }
    }

    private func append(
        _ cell: ArraySlice<UInt8>,
        to line: inout [UInt8],
        _ column: Int,
        padding: Int
    ) {
        let isNumber = columns[column].isNumber
        let gap = line.isEmpty ? 0 : Self.gap
        line.append(contentsOf: repeatElement(Self.space, count: gap + (isNumber ? padding : 0)))
        line.append(contentsOf: cell)
        if !isNumber { line.append(contentsOf: repeatElement(Self.space, count: padding)) }
    }

    private static func trimmed(_ line: inout [UInt8]) -> [UInt8] {
        while line.last == space { line.removeLast() }
        return line
    }
}
