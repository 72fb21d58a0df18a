/// Lines of cells in columns that are as wide as they need to be.
///
/// Cells stand in few pieces of memory, so that a table of many lines is small and fast. Most lines
/// are laid out before the last one is known, while somebody else makes the next: only pieces from
/// before a column grew are laid out again.
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
    private struct ShownColumn: Equatable {
        let isShown: Bool
        let isNumber: Bool
        let width: Int
    }

    /// Some lines, which are complete.
    private struct Piece {
        /// Each line as its ``TextCell``s.
        let cells: [UInt8]

        /// The lines as they are written in the columns, if that is little more than the cells.
        let text: [UInt8]?
        let columns: [ShownColumn]
    }

    private static let space = UInt8(ascii: " ")
    private static let lineEnd = UInt8(ascii: "\n")
    private static let gap = 2
    private static let pieceByteCount = 1 << 18

    /// How many times as long as their cells lines may be to be laid out early.
    private static let mostGrowth = 2

    private let columns: [Column]

    /// Whether columns are left out in which no line says anything.
    private let leavesOutEmptyColumns: Bool

    /// The widest cell of each column, in characters.
    private var widths: [Int]

    /// All lines but the latest, in pieces that never move, so that nothing is copied when the
    /// table grows.
    private var pieces: [Piece] = []

    /// The latest lines, each as its ``TextCell``s.
    private var piece: [UInt8] = []

    /// The count of these lines.
    private var lineCount = 0

    /// The most bytes that a cell has more than characters.
    private var mostExcess = 0

    init(_ columns: [Column], leavesOutEmptyColumns: Bool = false) {
        self.columns = columns
        self.leavesOutEmptyColumns = leavesOutEmptyColumns
        widths = columns.map { _ in 0 }
    }

    /// Whether there are no lines.
    var isEmpty: Bool { piece.isEmpty }

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
            if !piece.isEmpty { endPiece() }
            piece.reserveCapacity(max(Self.pieceByteCount, room))
        }
        let start = piece.count
        piece.append(addingCapacity: room, initializingWith: append)
        lineCount += 1
        measureLine(from: start)
    }

    private mutating func endPiece() {
        let columns = shownColumns()
        // One wide cell makes all lines long.
        let isLong = lineCount * room(for: columns) > Self.mostGrowth * piece.count
        let text = isLong ? nil : laidOut(piece, in: columns)
        pieces.append(Piece(cells: piece, text: text, columns: columns))
        piece = []
        lineCount = 0
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
        for piece in pieces {
            if let text = piece.text, piece.columns == shown {
                try output.write(text)
            } else {
                try write(piece.cells, in: shown, to: output)
            }
        }
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
                    position = Self.append(cells, position, in: columns, to: &span)
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
        return columns.indices.map { column in
            ShownColumn(
                isShown: !leavesOutEmptyColumns || widths[column] > 0,
                isNumber: columns[column].isNumber,
                width: max(widths[column], titleWidths[column])
            )
        }
    }

    /// Returns the latest lines, which are given as their cells, as they are written.
    private func laidOut(_ cells: [UInt8], in columns: [ShownColumn]) -> [UInt8] {
        let room = room(for: columns)
        var text: [UInt8] = []
        text.reserveCapacity(lineCount * room)
        var position = 0
        while position < cells.count {
            text.append(addingCapacity: room) { span in
                position = Self.append(cells, position, in: columns, to: &span)
                span.append(Self.lineEnd)
            }
        }
        return text
    }

    /// Returns the most bytes of a line as it is written, and of its end.
    private func room(for columns: [ShownColumn]) -> Int {
        columns.reduce(1) { $1.isShown ? $0 + Self.gap + $1.width + mostExcess : $0 }
    }

    /// Appends the line that begins at a position of some cells, and returns where it ends.
    private static func append(
        _ cells: [UInt8],
        _ position: Int,
        in columns: [ShownColumn],
        to span: inout OutputSpan<UInt8>
    ) -> Int {
        var position = position
        for column in columns {
            let cell = TextCell(cells, at: position)
            position = cell.range.upperBound
            guard column.isShown else { continue }
            let padding = column.width - cell.width
            let gap = span.isEmpty ? 0 : gap
            span.append(repeating: space, count: column.isNumber ? gap + padding : gap)
            for index in cell.range { span.append(cells[index]) }
            if !column.isNumber { span.append(repeating: space, count: padding) }
        }
        while span.count > 0, span[span.count - 1] == space { _ = span.removeLast() }
        return position
    }
}
