import Papers

/// Texts beside one another as they are set: a row of a table, or a heading, which has one text.
struct SetRow {
    /// A column in which texts stand, in points from the left border of the text.
    struct Column {
        let left: Double
        let width: Double
        let isRight: Bool
        var ink = PrintInk.black
    }

    /// The role of the row, which decides its look and its tags for screen readers.
    enum Role {
        case title
        case fact
        case heading
        case paragraph
        case caption
        case head
        case line(Document.Table.Line.Kind)
        case foot
    }

    let role: Role
    let columns: [Column]
    let texts: [String]
    let style: TextStyle
    let lineCount: Int

    /// How far the first line of writing is below the top of the row.
    let baseline: Double
    let lineHeight: Double
    let padding: Double

    /// Sets texts in columns; there MUST be as many columns as texts.
    init(
        _ role: Role,
        _ texts: [String],
        in columns: [Column],
        style: TextStyle,
        padding: Double = 0,
        with setter: TextSetter
    ) {
        self.role = role
        self.columns = columns
        self.texts = texts
        self.style = style
        self.padding = padding
        // All rows of Latin letters have one height, even if cells are empty.
        let letter = setter.extent("x", style)
        var (ascent, descent, lineCount) = (letter.ascent, letter.descent, 1)
        for (text, column) in zip(texts, columns) where !text.isEmpty {
            let extent = setter.extent(text, style, width: column.width)
            ascent = max(ascent, extent.ascent)
            descent = max(descent, extent.descent)
            lineCount = max(lineCount, extent.lineCount)
        }
        baseline = padding + ascent
        self.lineCount = lineCount
        lineHeight = ascent + descent
    }

    /// How high it is.
    var height: Double { flowItem.height }

    /// The row as it is placed on pages.
    var flowItem: FlowItem {
        FlowItem(lineCount: lineCount, lineHeight: lineHeight, padding: padding)
    }
}

/// The colours of documents: dark enough to be read on any printer (WCAG 2, contrast 4.5 and more).
enum PrintInk {
    static let black = Color(red: 0.10, green: 0.11, blue: 0.13)
    static let grey = Color(red: 0.40, green: 0.42, blue: 0.46)

    /// The colour of lines between rows, which only guide the eye.
    static let hairline = Color(red: 0.85, green: 0.86, blue: 0.88)
}
