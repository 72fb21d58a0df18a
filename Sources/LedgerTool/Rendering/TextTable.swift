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

    /// How much room a cell takes.
    private struct CellSize {
        var byteCount: Int

        /// In characters.
        var width: Int
    }

    /// A column as it is written.
    private struct ShownColumn {
        let isShown: Bool
        let isNumber: Bool
        let width: Int
    }

    private static let space = UInt8(ascii: " ")
    private static let gap = 2
    private static let pieceByteCount = 1 << 18

    /// Instead of the count of a cell that is long or not ASCII.
    private static let sizeElsewhere = UInt8.max

    private let columns: [Column]

    /// Whether columns are left out in which no line says anything.
    private let leavesOutEmptyColumns: Bool

    /// The widest cell of each column, in characters.
    private var widths: [Int]

    /// The lines that are complete, in pieces that never move, so that nothing is copied when the
    /// table grows.
    private var pieces: [[UInt8]] = []

    /// The latest lines: each cell is the count of its bytes in one byte, and these bytes.
    private var piece: [UInt8] = []

    /// The sizes of the cells that have ``sizeElsewhere`` instead of a count, in their order.
    private var sizes: [CellSize] = []

    /// The most bytes that a cell has more than characters.
    private var mostExcess = 0

    /// The column of the next cell.
    private var column = 0

    init(_ columns: [Column], leavesOutEmptyColumns: Bool = false) {
        self.columns = columns
        self.leavesOutEmptyColumns = leavesOutEmptyColumns
        widths = columns.map { _ in 0 }
    }

    /// Whether there are no lines.
    var isEmpty: Bool { piece.isEmpty }

    /// Adds a line; it MUST have a cell for each column.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a line has a cell for each column")
        for cell in cells { addCell(cell) }
    }

    /// Adds the next cell; lines MUST be completed.
    mutating func addCell(_ cell: String) {
        let start = beginCell()
        piece.append(contentsOf: cell.utf8)
        let byteCount = piece.count - start
        let isPlain = cell.utf8.allSatisfy { $0 < 0x80 }
        let width = isPlain ? byteCount : cell.count
        endCell(from: start, CellSize(byteCount: byteCount, width: width))
    }

    /// Adds the next cell, in which nothing stands; lines MUST be completed.
    mutating func addEmptyCell() {
        endCell(from: beginCell(), CellSize(byteCount: 0, width: 0))
    }

    /// Adds the next cell, to which `append` appends ASCII; lines MUST be completed.
    mutating func addCell(plain append: (inout [UInt8]) -> Void) {
        let start = beginCell()
        append(&piece)
        let byteCount = piece.count - start
        endCell(from: start, CellSize(byteCount: byteCount, width: byteCount))
    }

    /// Begins a cell, and returns where its bytes begin in ``piece``.
    private mutating func beginCell() -> Int {
        if column == 0, piece.count >= Self.pieceByteCount || piece.isEmpty {
            if !piece.isEmpty { pieces.append(piece) }
            piece = []
            // The last line goes beyond.
            piece.reserveCapacity(Self.pieceByteCount + Self.pieceByteCount / 16)
        }
        piece.append(0)
        return piece.count
    }

    /// Notes the size of the cell whose bytes begin at `start`.
    private mutating func endCell(from start: Int, _ size: CellSize) {
        if size.byteCount == size.width, size.byteCount < Int(Self.sizeElsewhere) {
            piece[start - 1] = UInt8(size.byteCount)
        } else {
            piece[start - 1] = Self.sizeElsewhere
            sizes.append(size)
            mostExcess = max(mostExcess, size.byteCount - size.width)
        }
        if widths[column] < size.width { widths[column] = size.width }
        column = column + 1 == columns.count ? 0 : column + 1
    }

    /// Writes the titles and the lines.
    func write(to output: Output) throws(OutputError) {
        var titles = TextTable(columns)
        titles.add(columns.map(\.title))
        let shown = columns.indices.map { column in
            ShownColumn(
                isShown: !leavesOutEmptyColumns || widths[column] > 0,
                isNumber: columns[column].isNumber,
                width: max(widths[column], titles.widths[column])
            )
        }
        try titles.writeLines(to: output, in: shown)
        try writeLines(to: output, in: shown)
    }

    private func writeLines(
        to output: Output,
        in columns: [ShownColumn]
    ) throws(OutputError) {
        let room = columns.reduce(0) { $0 + Self.gap + $1.width + mostExcess }
        var sizes = sizes[...]
        for piece in pieces + [piece] {
            var position = 0
            while position < piece.count {
                try output.writeLine { line in
                    line.append(addingCapacity: room) { span in
                        position = Self.append(piece, position, &sizes, in: columns, to: &span)
                    }
                }
            }
        }
    }

    /// Appends the line that begins at a position of a piece, and returns where it ends.
    private static func append(
        _ piece: [UInt8],
        _ position: Int,
        _ sizes: inout ArraySlice<CellSize>,
        in columns: [ShownColumn],
        to span: inout OutputSpan<UInt8>
    ) -> Int {
        var position = position
        for column in columns {
            let start = position + 1
            var byteCount = Int(piece[position])
            var width = byteCount
            if byteCount == Int(sizeElsewhere), let size = sizes.popFirst() {
                (byteCount, width) = (size.byteCount, size.width)
            }
            position = start + byteCount
            guard column.isShown else { continue }
            let padding = column.width - width
            let gap = span.isEmpty ? 0 : gap
            for _ in 0..<(column.isNumber ? gap + padding : gap) { span.append(space) }
            for index in start..<position { span.append(piece[index]) }
            if !column.isNumber { for _ in 0..<padding { span.append(space) } }
        }
        while span.count > 0, span[span.count - 1] == space { _ = span.removeLast() }
        return position
    }
}
