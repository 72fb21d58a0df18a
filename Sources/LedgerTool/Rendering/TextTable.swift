/// Lines of cells in columns that are as wide as they need to be.
///
/// Cells stand in few pieces of memory, so that a table of many lines is small and fast.
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

    /// A column as it is written.
    private struct ShownColumn {
        let isShown: Bool
        let isNumber: Bool
        let width: Int

        /// Where it begins in a line whose cells before it are ASCII.
        let start: Int
    }

    private static let space = UInt8(ascii: " ")
    private static let gap = 2
    private static let pieceByteCount = 1 << 16

    private let columns: [Column]

    /// Whether columns are left out in which no line says anything.
    private let leavesOutEmptyColumns: Bool

    /// The widest cell of each column, in characters.
    private var widths: [Int]

    /// All lines but the latest, each as its ``TextCell``s, in pieces that never move, so that
    /// nothing is copied when the table grows.
    private var pieces: [[UInt8]] = []

    /// The latest lines.
    private var piece: [UInt8] = []

    /// The most bytes that a cell has more than characters.
    private var mostExcess = 0

    init(_ columns: [Column], leavesOutEmptyColumns: Bool = false) {
        self.columns = columns
        self.leavesOutEmptyColumns = leavesOutEmptyColumns
        widths = columns.map { _ in 0 }
    }

    /// Whether there are no lines.
    var isEmpty: Bool { piece.isEmpty && pieces.isEmpty }

    /// Adds a line; it MUST have a cell for each column.
    mutating func add(_ cells: [String]) {
        addLine(room: cells.reduce(0) { $0 + TextCell.room(for: $1) }) { span in
            for cell in cells { TextCell.append(cell, to: &span) }
        }
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - room: The most bytes that its cells take.
    ///   - append: Appends its ``TextCell``s, one for each column.
    mutating func addLine(room: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        if piece.count + room > piece.capacity {
            endPiece()
            piece.reserveCapacity(max(Self.pieceByteCount, room))
        }
        let start = piece.count
        piece.append(addingCapacity: room, initializingWith: append)
        measureLine(from: start)
    }

    /// Adds the lines of another table, which MUST have the same columns, after these.
    mutating func addLines(of other: TextTable) {
        endPiece()
        pieces += other.pieces
        piece = other.piece
        for column in widths.indices {
            widths[column] = max(widths[column], other.widths[column])
        }
        mostExcess = max(mostExcess, other.mostExcess)
    }

    private mutating func endPiece() {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        piece = []
    }

    /// Makes the columns wide enough for the last line, which begins at a position of ``piece``.
    private mutating func measureLine(from start: Int) {
        var position = start
        for column in widths.indices {
            let cell = TextCell(piece, at: position)
            if widths[column] < cell.width { widths[column] = cell.width }
            mostExcess = max(mostExcess, cell.range.count - cell.width)
            position = cell.range.upperBound
        }
        precondition(position == piece.count, "a line has a cell for each column")
    }

    /// Writes the titles and the lines.
    func write(to output: Output) throws(OutputError) {
        let shown = shownColumns()
        try write(titles().piece, in: shown, to: output)
        for piece in pieces { try write(piece, in: shown, to: output) }
        try write(piece, in: shown, to: output)
    }

    /// Writes lines, which are given as their cells.
    private func write(
        _ cells: [UInt8],
        in columns: [ShownColumn],
        to output: Output
    ) throws(OutputError) {
        let room = room(for: columns)
        var position = 0
        while position < cells.count {
            try output.writeLine { line in
                line.append(addingCapacity: room) { span in
                    position = Self.append(cells, position, in: columns, room: room, to: &span)
                }
            }
        }
    }

    /// The titles as the only line of a table.
    private func titles() -> TextTable {
        var titles = TextTable(columns)
        titles.add(columns.map(\.title))
        return titles
    }

    /// The columns as they are written if no wider cell follows.
    private func shownColumns() -> [ShownColumn] {
        let titleWidths = titles().widths
        var shown: [ShownColumn] = []
        var end = 0
        for (column, width) in zip(widths, titleWidths).map({ max($0, $1) }).enumerated() {
            let start = end == 0 ? 0 : end + Self.gap
            let isShown = !leavesOutEmptyColumns || widths[column] > 0
            shown.append(
                ShownColumn(
                    isShown: isShown,
                    isNumber: columns[column].isNumber,
                    width: width,
                    start: start
                )
            )
            if isShown { end = start + width }
        }
        return shown
    }

    /// Returns the most bytes of a line as it is written.
    private func room(for columns: [ShownColumn]) -> Int {
        columns.reduce(0) { $1.isShown ? $0 + Self.gap + $1.width + mostExcess : $0 }
    }

    /// Appends the line that begins at a position of some cells, and returns where it ends.
    private static func append(
        _ cells: [UInt8],
        _ position: Int,
        in columns: [ShownColumn],
        room: Int,
        to span: inout OutputSpan<UInt8>
    ) -> Int {
        var position = position
        // How many bytes the cells have more than characters.
        var excess = 0
        var end = 0
        span.append(repeating: space, count: room)
        var line = span.mutableSpan
        for column in columns {
            let cell = TextCell(cells, at: position)
            position = cell.range.upperBound
            guard column.isShown, !cell.range.isEmpty else { continue }
            let start = column.start + excess + (column.isNumber ? column.width - cell.width : 0)
            let bytes = cells.span.extracting(cell.range)
            for index in bytes.indices { line[start + index] = bytes[index] }
            end = start + bytes.count
            excess += bytes.count - cell.width
        }
        span.removeLast(room - end)
        while span.count > 0, span[span.count - 1] == space { _ = span.removeLast() }
        return position
    }
}
