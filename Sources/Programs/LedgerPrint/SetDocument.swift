import Papers

/// A document as it is set: each piece measured and placed on a page, nothing drawn yet.
struct SetDocument {
    /// A piece that is placed as one.
    enum Piece {
        case row(SetRow)

        /// A row of a table; the first is its head.
        case tableRow(SetRow, table: Int)
        case picture(Page, scale: Double)
    }

    /// Blank paper around the text, in points.
    private static let margin = Paper.millimeters(14)

    /// The space between the text and the line above the foot.
    private static let footGap = 8.0

    /// The least share of the paper that a foot leaves to the text.
    private static let smallestText = 0.5

    /// The longest line of running text that is easy to follow, in points.
    private static let longestLine = 480.0

    /// The largest size of a CSS pixel of a picture, in points: 4/3 of its size on screens.
    private static let largestScale = 1.0

    /// The fewest lines above the last heading that stay on its page, so that a signature never
    /// stands alone on the last page.
    private static let linesAboveLast = 5

    /// The share of a page that a picture may take, so that a heading has room above it.
    private static let pictureShare = 0.85

    let paper: Paper
    let foot: SetFoot
    let left = Self.margin
    let top = Self.margin
    let width: Double

    /// How high the text of a page is.
    let height: Double
    private(set) var tables: [SetTable] = []
    private(set) var pieces: [Piece] = []
    private(set) var placements: [PageFlow.Placement] = []

    /// How many pages there are.
    var pageCount: Int { (placements.last?.page ?? 0) + 1 }

    /// How far the line above the foot is below the upper border of the paper.
    var footTop: Double { paper.height - Self.margin - foot.height }

    private var items: [FlowItem] = []

    /// The title and the headings, and how far below the upper border of which page (from 0) they
    /// stand.
    var outline: [(title: String, page: Int, top: Double)] {
        placements.compactMap { placement in
            guard case .row(let row) = pieces[placement.item], row.role.isInOutline,
                placement.lines.lowerBound == 0
            else { return nil }
            return (row.texts[0], placement.page, top + placement.top)
        }
    }

    /// Sets a document.
    ///
    /// - Throws: `PrintError` if the foot leaves no room.
    init(_ document: Document, with setter: TextSetter) throws(PrintError) {
        paper = document.sheet
        width = paper.width - 2 * Self.margin
        foot = SetFoot(document, width: width, with: setter)
        height = paper.height - 2 * Self.margin - foot.height - Self.footGap
        guard height >= Self.smallestText * paper.height else {
            throw PrintError("the lines at the foot of the document leave no room for its text")
        }
        add(.title, document.title, TextStyle(17, bold: true), with: setter)
        addFacts(document.facts, with: setter)
        for block in document.blocks { add(block, with: setter) }
        bindLastHeading()
        placements = PageFlow.place(items, height: height)
    }

    /// Keeps some lines of paragraphs with the heading after them, if only paragraphs follow it.
    private mutating func bindLastHeading() {
        var heading = pieces.count - 1
        while heading >= 0, isParagraph(heading) { heading -= 1 }
        guard heading >= 0, heading < pieces.count - 1, case .row(let row) = pieces[heading],
            case .heading = row.role
        else { return }
        var (above, lineCount) = (heading - 1, 0)
        while above >= 0, lineCount < Self.linesAboveLast, isParagraph(above) {
            items[above].keepsWithNext = true
            lineCount += items[above].lineCount
            above -= 1
        }
    }

    private func isParagraph(_ index: Int) -> Bool {
        guard case .row(let row) = pieces[index], case .paragraph = row.role else { return false }
        return true
    }

    private mutating func add(_ block: Document.Block, with setter: TextSetter) {
        switch block {
        case .heading(let text):
            let style = TextStyle(11.5, bold: true)
            add(.heading, text, style, spaceBefore: 18, keepsWithNext: true, with: setter)
        case .paragraph(let text):
            add(.paragraph, text, TextStyle(9), spaceBefore: 6, with: setter)
        case .table(let table):
            // The text of sums is no larger than that of the rows above them.
            let largest = tables.first?.size ?? TableFit.largestSize
            let set = SetTable(table, width: width, largest: largest, with: setter)
            for row in [set.head] + set.rows { pieces.append(.tableRow(row, table: tables.count)) }
            tables.append(set)
            var rows = set.flowItems(pageHeight: height)
            rows[0].spaceBefore = 7
            items += rows
        case .picture(let picture, let alternative):
            add(picture, alternative, with: setter)
        }
    }

    private mutating func add(
        _ role: SetRow.Role,
        _ text: String,
        _ style: TextStyle,
        ink: Color = PrintInk.black,
        spaceBefore: Double = 0,
        keepsWithNext: Bool = false,
        with setter: TextSetter
    ) {
        let room = role.isContinuous ? min(width, Self.longestLine) : width
        let column = SetRow.Column(left: 0, width: room, isRight: false, ink: ink)
        let row = SetRow(role, [text], in: [column], style: style, with: setter)
        var item = row.flowItem
        item.spaceBefore = spaceBefore
        item.keepsWithNext = keepsWithNext
        items.append(item)
        pieces.append(.row(row))
    }

    private mutating func addFacts(_ facts: [Document.Fact], with setter: TextSetter) {
        let style = TextStyle(9)
        let widest = facts.reduce(0) { max($0, setter.extent($1.label, style).width) }
        let label = SetRow.Column(
            left: 0,
            width: min(widest, width / 3),
            isRight: false,
            ink: PrintInk.grey
        )
        let left = label.width + 14
        let text = SetRow.Column(left: left, width: width - left, isRight: false)
        for (index, fact) in facts.enumerated() {
            let texts = [fact.label, fact.text]
            let row = SetRow(.fact, texts, in: [label, text], style: style, with: setter)
            var item = row.flowItem
            item.spaceBefore = index == 0 ? 8 : 1
            items.append(item)
            pieces.append(.row(row))
        }
    }

    private mutating func add(
        _ picture: Page,
        _ alternative: String,
        with setter: TextSetter
    ) {
        let scale = min(
            width / picture.width,
            Self.pictureShare * height / picture.height,
            Self.largestScale
        )
        var item = FlowItem(lineCount: 1, lineHeight: picture.height * scale)
        item.spaceBefore = 10
        item.keepsWithNext = true
        items.append(item)
        pieces.append(.picture(picture, scale: scale))
        add(.caption, alternative, TextStyle(8), ink: PrintInk.grey, spaceBefore: 3, with: setter)
    }
}

extension SetRow.Role {
    /// Whether the outline of a file has an entry for it.
    fileprivate var isInOutline: Bool {
        switch self {
        case .title, .heading: true
        case .fact, .paragraph, .caption, .head, .line, .foot: false
        }
    }

    /// Whether it is running text, which is easier to read in a narrow column.
    fileprivate var isContinuous: Bool {
        switch self {
        case .paragraph, .caption: true
        case .title, .fact, .heading, .head, .line, .foot: false
        }
    }
}
