import Papers

/// A table as it is set: its head and its lines, each as a row.
struct SetTable {
    /// The space between columns, a part of each: that of the last one lies beyond the text.
    private static let gap = 8.0

    /// The space above and below the text of a row.
    private static let padding = 1.8

    /// The share of a page above which a head is not repeated, because it would leave too little
    /// room.
    private static let repeatedShare = 0.25

    /// The most lines of a table that stays on one page, because sums are read together, and of a
    /// row; longer ones are cut, so that no page loses more lines.
    private static let wholeLines = 12

    let head: SetRow
    let rows: [SetRow]

    /// How wide the lines below rows are.
    let width: Double

    /// The size of its text in points.
    let size: Double

    /// Sets a table for pages with a given width of text, in text no larger than a given size.
    init(_ table: Document.Table, width: Double, largest: Double, with setter: TextSetter) {
        let fit = TableFit(
            Self.measure(table, with: setter),
            width: width + Self.gap,
            padding: Self.gap,
            largest: largest
        )
        size = fit.size
        var columns: [SetRow.Column] = []
        var left = 0.0
        for (index, column) in table.columns.enumerated() {
            columns.append(
                SetRow.Column(left: left, width: fit.texts[index], isRight: column.isNumber)
            )
            left += fit.widths[index]
        }
        self.width = left - Self.gap
        head = SetRow(
            .head,
            table.columns.map(\.title),
            in: columns,
            style: TextStyle(fit.size, bold: true),
            padding: Self.padding,
            with: setter
        )
        let faint = columns.map { column in
            var column = column
            column.ink = PrintInk.grey
            return column
        }
        rows = table.lines.map { line in
            SetRow(
                .line(line.kind),
                line.cells,
                in: line.kind == .faint ? faint : columns,
                style: TextStyle(fit.size, bold: line.kind == .total),
                padding: Self.padding,
                with: setter
            )
        }
    }

    /// Returns the table as pieces, for pages whose text is so high.
    func flowItems(pageHeight: Double) -> [FlowItem] {
        var first = head.flowItem
        first.keepsWithNext = !rows.isEmpty
        var items = [first]
        let lineCount = rows.reduce(head.lineCount) { $0 + $1.lineCount }
        let isWhole = lineCount <= Self.wholeLines
        let repeated = head.height <= Self.repeatedShare * pageHeight ? head.height : 0
        for (index, row) in rows.enumerated() {
            var item = row.flowItem
            item.headHeight = repeated
            item.mostMovedLines = Self.wholeLines
            item.keepsWithNext = isWhole && index + 1 < rows.count
            if index + 1 < rows.count, case .line(.total) = rows[index + 1].role {
                item.prefersNext = true
            }
            items.append(item)
        }
        return items
    }

    private static func measure(
        _ table: Document.Table,
        with setter: TextSetter
    ) -> [ColumnMeasure] {
        let size = TableFit.largestSize
        return table.columns.indices.map { index in
            let column = table.columns[index]
            let bold = TextStyle(size, bold: true)
            var measure = ColumnMeasure(wraps: column.wraps)
            measure.title = setter.extent(column.title, bold).width
            measure.titleWord = setter.wordWidth(column.title, bold)
            measure.titlePart = setter.partWidth(column.title, bold)
            for line in table.lines {
                let style = TextStyle(size, bold: line.kind == .total)
                let text = line.cells[index]
                let width = setter.extent(text, style).width
                measure.cell = max(measure.cell, width)
                // A text that is narrower than the widest word so far has no wider word.
                if width > measure.cellWord {
                    let word =
                        column.wraps
                        ? setter.wordWidth(text.lettersAfterHyphensApart, style)
                        : setter.wordWidth(text, style)
                    measure.cellWord = max(measure.cellWord, word)
                }
            }
            return measure
        }
    }
}

extension String {
    /// The text with a space, where a line may end, after each hyphen before a letter.
    fileprivate var lettersAfterHyphensApart: String {
        guard utf8.contains(UInt8(ascii: "-")) else { return self }
        var (text, isAfterHyphen) = ("", false)
        for character in self {
            if isAfterHyphen, character.isLetter { text.append(" ") }
            text.append(character)
            isAfterHyphen = character == "-"
        }
        return text
    }
}
