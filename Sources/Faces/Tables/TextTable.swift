/// Lines of cells in columns that are as wide as they need to be, without columns in which no line
/// has a value.
///
/// Cells are kept in few pieces of memory, so that a table of 100,000 lines is built in 30 ms.
package struct TextTable: Sendable {
    /// Whether a document, which is too narrow for all columns, puts a column's values below those
    /// of the column before it.
    package enum Below: Sendable {
        case no

        /// Both titles stand above them, one below the other.
        case titled

        /// The title of the column before stands above both: an address below a name.
        case untitled
    }

    /// A column.
    package struct Column: Sendable {
        /// The title.
        package let title: String

        /// Whether it is aligned to the right.
        package let isNumber: Bool

        /// The character in a cell without a value: a hyphen, or a space in columns that are mostly
        /// empty.
        let noValue: UInt8

        /// Whether its cells are words, which may be broken over lines.
        package var wraps = false

        /// Whether it is shown even if no line has a value in it.
        var isAlwaysShown = false

        /// Whether a document has its values in the cells of the column before.
        package var below = Below.no

        /// Its behaviour where there is no room for it.
        var narrowing = Narrowing.none
    }

    /// A column as it is written.
    private struct ShownColumn {
        let isShown: Bool
        let isNumber: Bool
        let noValue: UInt8
        let width: Int

        /// Its offset in a line whose cells before it are ASCII.
        let start: Int
    }

    private static let space = UInt8(ascii: " ")
    private static let gap = 2
    private static let pieceByteCount = 1 << 16

    /// A piece ends when it has less room left than this: nearly every line is shorter, and a
    /// longer one only makes the piece reallocate.
    private static let usualLineByteCount = 1 << 10

    /// The mark at the end of a text that was made shorter.
    private static let ellipsis = "…"

    /// The columns.
    package let columns: [Column]

    /// The widest cell of each column, in characters; 0 where no line has a value, unless the
    /// column is always shown.
    package private(set) var widths: [Int]

    /// All lines but the latest, each as its ``TextCell``s, in pieces that never move, so that
    /// nothing is copied when the table grows.
    private var pieces: [[UInt8]] = []

    /// The latest lines, each with its ``Emphasis`` before its cells.
    private var piece: [UInt8] = []

    /// Where the line that is being added begins in ``piece``.
    private var lineStart = 0

    /// The greatest excess of a cell's bytes over its characters.
    private var mostExcess = 0

    /// Creates an empty table.
    package init(_ columns: [Column]) {
        self.columns = columns
        widths = columns.map { $0.isAlwaysShown ? 1 : 0 }
    }

    /// Whether there are no lines.
    package var isEmpty: Bool { piece.isEmpty && pieces.isEmpty }

    /// Begins a line; a cell for each column MUST follow, and ``endLine()``.
    package mutating func beginLine(_ emphasis: Emphasis = .none) {
        if piece.count + Self.usualLineByteCount > piece.capacity {
            endPiece()
            piece.reserveCapacity(Self.pieceByteCount)
        }
        piece.append(emphasis.rawValue)
        lineStart = piece.count
    }

    /// Adds a cell without a value to the line.
    mutating func addEmptyCell() {
        piece.append(0)
    }

    /// Adds a cell with a text to the line.
    mutating func addCell(_ text: String) {
        piece.append(addingCapacity: TextCell.room(for: text)) { TextCell.append(text, to: &$0) }
    }

    /// Adds a cell to the line with the few ASCII characters that `append` appends.
    @inline(__always)
    mutating func addCell(room: Int, _ append: (inout OutputSpan<UInt8>) -> Void) {
        piece.append(addingCapacity: room + 1) { span in
            let cell = TextCell.begin(in: &span)
            append(&span)
            TextCell.end(cell, in: &span)
        }
    }

    /// Ends a line, and makes the columns wide enough for it.
    package mutating func endLine() {
        var position = lineStart
        for column in widths.indices {
            let cell = TextCell(piece, at: position)
            if widths[column] < cell.width { widths[column] = cell.width }
            mostExcess = max(mostExcess, cell.range.count - cell.width)
            position = cell.range.upperBound
        }
        precondition(position == piece.count, "a line has a cell for each column")
    }

    /// Adds the lines of another table of the same columns after these.
    package mutating func add(_ other: TextTable) {
        endPiece()
        pieces += other.pieces
        piece = other.piece
        for column in widths.indices {
            widths[column] = max(widths[column], other.widths[column])
        }
        mostExcess = max(mostExcess, other.mostExcess)
    }

    /// Hands over each line: how it is set off, and a text for each column.
    package func readLines(_ take: (Emphasis, [String]) -> Void) {
        for piece in pieces + [piece] {
            var position = 0
            while position < piece.count {
                let emphasis = Emphasis(rawValue: piece[position]) ?? .none
                position += 1
                take(
                    emphasis,
                    columns.map { _ in
                        let cell = TextCell(piece, at: position)
                        position = cell.range.upperBound
                        return String(decoding: piece[cell.range], as: UTF8.self)
                    }
                )
            }
        }
    }

    private mutating func endPiece() {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        piece = []
    }

    /// Hands over the titles and the lines: closures that each append one, with its end.
    ///
    /// - Returns: The titles of columns for which there was no room, in the order in which they
    ///   were left out.
    @discardableResult
    package func write(
        within width: Int? = nil,
        emphasizing usesEmphasis: Bool = false,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) rethrows -> [String] {
        let widths = columnWidths(within: width)
        let shown = shownColumns(widths.widths)
        try self.write(titles().piece, in: shown, false, write)
        for piece in pieces { try self.write(piece, in: shown, usesEmphasis, write) }
        try self.write(piece, in: shown, usesEmphasis, write)
        return widths.leftOut.map { ColumnTitle.unbroken(columns[$0].title) }
    }

    /// Returns a remark on columns for which there was no room: a line, or nothing.
    package static func remark(onLeftOut titles: [String]) -> String {
        titles.isEmpty ? "" : Phrase.leftOut(onThisScreen: titles).english + "\n"
    }

    /// Hands over lines, which are given as their cells.
    private func write(
        _ cells: [UInt8],
        in columns: [ShownColumn],
        _ usesEmphasis: Bool,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) rethrows {
        let room = room(for: columns)
        var position = 0
        while position < cells.count {
            try write { bytes in
                let emphasis = usesEmphasis ? Emphasis(rawValue: cells[position]) ?? .none : .none
                position += 1
                if emphasis != .none { Self.append(emphasis.sequence, to: &bytes) }
                bytes.append(addingCapacity: room + 1) { span in
                    position = Self.append(cells, position, in: columns, room: room, to: &span)
                }
                if emphasis != .none { Self.append(Emphasis.end, to: &bytes) }
                bytes.append(UInt8(ascii: "\n"))
            }
        }
    }

    private static func append(_ sequence: StaticString, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: sequence.description.utf8)
    }

    /// The titles as the only line of a table.
    private func titles() -> TextTable {
        var titles = TextTable(columns)
        titles.beginLine()
        for column in columns { titles.addCell(ColumnTitle.unbroken(column.title)) }
        titles.endLine()
        return titles
    }

    /// How wide the columns are if no wider cell follows.
    private func columnWidths(within width: Int?) -> ColumnWidths {
        let titleWidths = titles().widths
        return ColumnWidths(
            columns.indices.map { column in
                ColumnWidths.Column(
                    width: widths[column] == 0 ? 0 : max(widths[column], titleWidths[column]),
                    titleWidth: titleWidths[column],
                    narrowing: columns[column].narrowing
                )
            },
            gap: Self.gap,
            within: width
        )
    }

    /// The columns as they are written.
    private func shownColumns(_ widths: [Int]) -> [ShownColumn] {
        var shown: [ShownColumn] = []
        var end = 0
        for (column, width) in widths.enumerated() {
            let start = end == 0 ? 0 : end + Self.gap
            shown.append(
                ShownColumn(
                    isShown: width > 0,
                    isNumber: columns[column].isNumber,
                    noValue: columns[column].noValue,
                    width: width,
                    start: start
                )
            )
            if width > 0 { end = start + width }
        }
        return shown
    }

    /// Returns the most bytes of a line as it is written.
    private func room(for columns: [ShownColumn]) -> Int {
        let mostExcess = mostExcess + Self.ellipsis.utf8.count
        return columns.reduce(0) { $1.isShown ? $0 + Self.gap + $1.width + mostExcess : $0 }
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
        // The excess of the cells' bytes over their characters.
        var excess = 0
        var end = 0
        span.append(repeating: space, count: room)
        var line = span.mutableSpan
        for column in columns {
            let cell = TextCell(cells, at: position)
            position = cell.range.upperBound
            guard column.isShown else { continue }
            guard !cell.range.isEmpty else {
                let place = column.start + excess + (column.isNumber ? column.width - 1 : 0)
                line[place] = column.noValue
                end = place + 1
                continue
            }
            guard cell.width <= column.width else {
                let (text, width) = shortened(cells[cell.range], to: column.width)
                let start = column.start + excess
                for (index, byte) in text.utf8.enumerated() { line[start + index] = byte }
                end = start + text.utf8.count
                excess += text.utf8.count - width
                continue
            }
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

    /// Returns the beginning of a text and an ellipsis, with its width: after a word, if that is
    /// more than half of the room.
    private static func shortened(
        _ bytes: ArraySlice<UInt8>,
        to width: Int
    ) -> (text: String, width: Int) {
        let start = String(decoding: bytes, as: UTF8.self).prefix(width - 1)
        let words = start.lastIndex(of: " ").map { start[..<$0] } ?? start
        let kept = 2 * words.count > width ? words : start
        return (kept + ellipsis, kept.count + 1)
    }
}

/// A cell of a table as the table keeps it: what room it takes, and its bytes.
///
/// The count of its bytes stands before them in one byte. A cell that is long or not ASCII has
/// ``sizeFollows`` in that byte, and then its count and its width in four bytes each, lowest byte
/// first.
struct TextCell {
    private static let sizeFollows = UInt8.max
    private static let numberByteCount = 4

    /// The most bytes that stand before those of a cell.
    static let longestHead = 1 + 2 * numberByteCount

    /// The range of its bytes.
    let range: Range<Int>

    /// In characters.
    let width: Int

    /// Reads the cell that begins at a position.
    @inline(__always)
    init(_ bytes: [UInt8], at position: Int) {
        if bytes[position] == Self.sizeFollows {
            let start = position + Self.longestHead
            range = start..<start + Self.number(bytes, at: position + 1)
            width = Self.number(bytes, at: position + 1 + Self.numberByteCount)
        } else {
            width = Int(bytes[position])
            range = position + 1..<position + 1 + width
        }
    }

    /// Begins a cell of a few ASCII characters, which are to be appended before ``end(_:in:)``.
    ///
    /// - Returns: Where it begins.
    @inline(__always)
    static func begin(in span: inout OutputSpan<UInt8>) -> Int {
        span.append(0)
        return span.count - 1
    }

    /// Ends the cell that begins at a position.
    @inline(__always)
    static func end(_ position: Int, in span: inout OutputSpan<UInt8>) {
        let byteCount = span.count - position - 1
        precondition(byteCount < Int(sizeFollows), "only a text is long")
        span[position] = UInt8(byteCount)
    }

    /// Appends a cell with a text, for which there MUST be room.
    static func append(_ text: String, to span: inout OutputSpan<UInt8>) {
        let bytes = text.utf8.span
        if bytes.count < Int(sizeFollows), isPlain(bytes) {
            span.append(UInt8(bytes.count))
        } else {
            span.append(sizeFollows)
            append(bytes.count, to: &span)
            append(text.count, to: &span)
        }
        for index in bytes.indices { span.append(bytes[index]) }
    }

    /// Returns the room that a cell with a text takes at most.
    static func room(for text: String) -> Int {
        longestHead + text.utf8.count
    }

    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        var bits: UInt8 = 0
        for index in bytes.indices { bits |= bytes[index] }
        return bits < 0x80
    }

    private static func append(_ number: Int, to span: inout OutputSpan<UInt8>) {
        precondition(number <= Int(UInt32.max), "no cell is that long")
        for index in 0..<numberByteCount {
            span.append(UInt8(truncatingIfNeeded: number >> (8 * index)))
        }
    }

    @inline(never)
    private static func number(_ bytes: [UInt8], at position: Int) -> Int {
        (0..<numberByteCount).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
}

extension Phrase {
    /// The sentence about columns for which a screen has no room.
    package static func leftOut(onThisScreen titles: [String]) -> Phrase {
        Phrase(
            en: "Left out on this screen: \(own: titles); see --wide.",
            nl: "Op dit scherm weggelaten: \(own: titles); zie --wide.",
            de: "Auf diesem Bildschirm ausgelassen: \(own: titles); siehe --wide.",
            fr: "Omis sur cet écran : \(own: titles) ; voir --wide."
        )
    }
}
