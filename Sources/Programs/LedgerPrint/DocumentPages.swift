import Papers

/// Draws the pages of a typeset document and tags their content (PDF 32000-1, 14.8.4): a screen
/// reader finds headings, lists, tables and their cells.
struct DocumentPages {
    /// Pieces that are one thing together, over any number of pages.
    fileprivate enum Whole: Equatable {
        case facts
        case table(Int)

        var tag: String {
            switch self {
            case .facts: "L"
            case .table: "Table"
            }
        }
    }

    private let document: SetDocument
    private let setter: TextSetter
    private let canvas: Canvas
    private let code: Stamp

    /// The whole to which the pieces being drawn belong.
    private var whole: Whole?

    /// Draws on a canvas, with what the document was set with.
    init(_ document: SetDocument, on canvas: Canvas, with setter: TextSetter) {
        self.document = document
        self.canvas = canvas
        self.setter = setter
        let foot = document.foot
        code = Stamp(width: foot.codeWidth, height: foot.codeWidth) {
            $0.draw(fields: foot.code, size: foot.field)
        }
    }

    /// Draws all pages, one after the other.
    mutating func drawAll() {
        canvas.begin("Document")
        var page = 0
        for placement in document.placements {
            if placement.page > page {
                drawFoot(of: page)
                canvas.endPage()
                page = placement.page
            }
            draw(placement)
        }
        begin(nil)
        canvas.end("Document")
        drawFoot(of: page)
        canvas.endPage()
    }

    /// Draws the first page.
    mutating func drawFirst() {
        for placement in document.placements.prefix(while: { $0.page == 0 }) { draw(placement) }
        begin(nil)
        drawFoot(of: 0)
    }

    private mutating func draw(_ placement: PageFlow.Placement) {
        let piece = document.pieces[placement.item]
        begin(piece.whole)
        canvas.place(left: document.left, top: document.top + placement.top) {
            switch piece {
            case .row(let row):
                let tag = row.role.tag
                canvas.begin(tag)
                canvas.draw(row, lines: placement.lines, tags: row.role.textTags, with: setter)
                canvas.end(tag)
            case .tableRow(let row, let number):
                let table = document.tables[number]
                if placement.repeatsHead { repeatHead(of: table) }
                canvas.begin(row.role.tag)
                canvas.draw(row, lines: placement.lines, tags: row.role.textTags, with: setter)
                canvas.end(row.role.tag)
                drawRules(of: row, lineCount: placement.lines.count, width: table.width)
            case .picture(let picture, let scale):
                canvas.begin("Figure")
                canvas.place(left: 0, top: 0, scale: scale) { canvas.draw(picture) }
                canvas.end("Figure")
            }
        }
    }

    /// Ends the whole that is complete, and begins the next one.
    private mutating func begin(_ next: Whole?) {
        guard next != whole else { return }
        if let whole { canvas.end(whole.tag) }
        if let next { canvas.begin(next.tag) }
        whole = next
    }

    /// Draws the head of a table above the place without a tag, because a screen reader has already
    /// read it.
    private func repeatHead(of table: SetTable) {
        let head = table.head
        canvas.place(left: 0, top: -head.height) {
            canvas.draw(head, lines: 0..<head.lineCount, with: setter)
            drawRules(of: head, lineCount: head.lineCount, width: table.width)
        }
    }

    private func drawRules(of row: SetRow, lineCount: Int, width: Double) {
        let bottom = row.flowItem.height(ofLines: lineCount)
        switch row.role {
        case .head: canvas.drawRule(at: bottom, width: width, weight: 0.9, PrintInk.black)
        case .line(.total):
            canvas.drawRule(at: 0, width: width, weight: 0.7, PrintInk.black)
            canvas.drawRule(at: bottom, width: width, weight: 0.4, PrintInk.hairline)
        default: canvas.drawRule(at: bottom, width: width, weight: 0.4, PrintInk.hairline)
        }
    }

    private func drawFoot(of page: Int) {
        let foot = document.foot
        canvas.place(left: document.left, top: document.footTop) {
            canvas.drawRule(at: 0, width: document.width, weight: 0.4, PrintInk.grey)
            let number = foot.pageRow(number: page + 1, of: document.pageCount, with: setter)
            draw(number, belowFootBy: foot.space)
            var top = foot.space
            for row in foot.rows {
                draw(row, belowFootBy: top)
                top += row.height
            }
            if !foot.code.isEmpty {
                canvas.place(left: document.width - foot.codeWidth, top: foot.space) {
                    canvas.draw(code)
                }
            }
        }
    }

    private func draw(_ row: SetRow, belowFootBy top: Double) {
        canvas.place(left: 0, top: top) {
            canvas.draw(row, lines: 0..<row.lineCount, with: setter)
        }
    }
}

extension SetDocument.Piece {
    fileprivate var whole: DocumentPages.Whole? {
        switch self {
        case .row(let row): if case .fact = row.role { .facts } else { nil }
        case .tableRow(_, let table): .table(table)
        case .picture: nil
        }
    }
}

extension SetRow.Role {
    /// The tag of the row.
    fileprivate var tag: String {
        switch self {
        case .title: "H1"
        case .heading: "H2"
        case .fact: "LI"
        case .paragraph, .caption, .foot: "P"
        case .head, .line: "TR"
        }
    }

    /// The tags of its texts, in order, and then from the beginning again.
    fileprivate var textTags: [String] {
        switch self {
        case .fact: ["Lbl", "LBody"]
        case .head: ["TH"]
        case .line: ["TD"]
        case .title, .heading, .paragraph, .caption, .foot: []
        }
    }
}
