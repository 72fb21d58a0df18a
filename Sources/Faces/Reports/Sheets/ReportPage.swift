package import Papers
package import Tables
package import TripLedger

/// A report for people: facts, tables, sentences and pictures in their order.
///
/// Text and document are both made from it, so every cell and sentence is the same in both.
package struct ReportPage: Sendable {
    private enum Part: Sendable {
        /// Documents omit columns whose value is the same on all lines and shown among the facts.
        case table(TextTable, heading: Phrase?, saidAbove: Set<Int> = [])

        /// The heading of what follows, to which the outline of a file leads; for documents only.
        case mark(Phrase)
        case sentences([Phrase])

        /// For documents only.
        case picture(Page, alternative: Phrase, heading: Phrase)

        /// Where place, date and name are written by hand; for documents only.
        case signature
    }

    /// The head of the entries that it was made from; `nil` for a draft.
    package let head: LedgerHead?

    private let title: Phrase
    private let facts: [ReportFact]
    private let foot: [Phrase]
    private let orientation: Document.Orientation
    private let style: TextStyle
    private var parts: [Part] = []

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - facts: Facts about the report.
    ///   - frame: The days and entries of the report.
    ///   - orientation: The orientation of the document's paper.
    ///   - style: How people see it.
    package init(
        _ title: Phrase,
        _ facts: [ReportFact],
        _ frame: ReportFrame,
        _ orientation: Document.Orientation,
        _ style: TextStyle
    ) {
        self.title = title
        self.facts = facts
        self.orientation = orientation
        self.style = style
        foot = frame.foot
        head = frame.head
    }

    /// Adds a table with a title above it; nothing without rows.
    package mutating func add<Row>(
        _ rows: [Row],
        _ columns: Columns<Row>,
        under heading: Phrase? = nil
    ) {
        var table = columns.table(style)
        for row in rows { columns.add(row, to: &table, style) }
        add(table, under: heading)
    }

    /// Adds a table that was made already; nothing without lines.
    package mutating func add(_ table: TextTable, under heading: Phrase? = nil) {
        guard !table.isEmpty else { return }
        parts.append(.table(table, heading: heading))
    }

    /// Adds a table that was made already, under a heading that documents alone have.
    ///
    /// - Parameters:
    ///   - table: The table; nothing is added if it has no lines.
    ///   - heading: The heading.
    ///   - saidAbove: Columns whose value is the same on all lines and stands among the facts:
    ///     documents omit them.
    package mutating func add(
        _ table: TextTable,
        marked heading: Phrase,
        saidAbove: Set<Int> = []
    ) {
        guard !table.isEmpty else { return }
        parts += [.mark(heading), .table(table, heading: nil, saidAbove: saidAbove)]
    }

    /// Adds sentences, each a line of text and a paragraph of a document.
    package mutating func add(_ sentences: [Phrase]) {
        guard !sentences.isEmpty else { return }
        parts.append(.sentences(sentences))
    }

    /// Adds a picture, which a text does not have.
    package mutating func add(_ picture: Page, alternative: Phrase, under heading: Phrase) {
        parts.append(.picture(picture, alternative: alternative, heading: heading))
    }

    /// Adds a place for a signature, which a text does not have.
    package mutating func addSignature() {
        parts.append(.signature)
    }

    /// Hands over the text: closures that each append to what they are given, in order.
    package func writeText(_ write: ((inout [UInt8]) -> Void) throws -> Void) rethrows {
        let words = style.words
        let sheet = FactSheet(facts.map { (words.text($0.label), words.text($0.fact)) })
            .text(width: style.width)
        try write { $0 += "\(words.text(title))\n\(sheet)".utf8 }
        var leftOut: [String] = []
        for part in parts {
            switch part {
            case .table(let table, let heading, _):
                let title = heading.map { words.text(.above($0)) + "\n" } ?? ""
                try write { $0 += "\n\(title)".utf8 }
                for title in try table.write(within: style.width, write)
                where !leftOut.contains(title) {
                    leftOut.append(title)
                }
            case .sentences(let sentences):
                let text = sentences.map { words.text($0) + "\n" }.joined()
                try write { $0 += "\n\(style.wrapped(text))".utf8 }
            case .mark, .picture, .signature: break
            }
        }
        guard !leftOut.isEmpty else { return }
        let remark = words.text(.leftOut(onThisScreen: leftOut))
        try write { $0 += style.wrapped(remark + "\n").utf8 }
    }

    /// Returns the document, without a code.
    package func document(on paper: Document.Paper) -> Document {
        let words = style.words
        var blocks: [Document.Block] = []
        // It stands below all else that is printed, and above what is written by hand.
        var meaning: [Document.Block] =
            head.map { [.paragraph(words.text(.rootMeaning(entries: $0.size)))] } ?? []
        for part in parts {
            switch part {
            case .table(let table, let heading, let saidAbove):
                if let heading { blocks.append(.heading(words.text(heading))) }
                blocks.append(.table(Document.Table(table, without: saidAbove)))
            case .mark(let heading): blocks.append(.heading(words.text(heading)))
            case .sentences(let sentences): blocks += sentences.map { .paragraph(words.text($0)) }
            case .picture(let picture, let alternative, let heading):
                blocks.append(.heading(words.text(heading)))
                blocks.append(.picture(picture, alternative: words.text(alternative)))
            case .signature:
                blocks += meaning
                meaning = []
                blocks.append(.heading(words.text(.signature)))
                // An empty line leaves room for the pen.
                blocks.append(.paragraph("\u{A0}\n" + words.text(.signatureLines)))
            }
        }
        blocks += meaning
        return Document(
            title: words.text(title),
            language: style.language,
            paper: paper,
            orientation: orientation,
            foot: foot.map { words.text($0) },
            facts: facts.map {
                Document.Fact(label: words.text($0.label), text: words.text($0.fact))
            },
            blocks: blocks
        )
    }
}

extension ReportKind {
    /// The title of its page.
    package var title: Phrase {
        switch self {
        case .log: .mileageLog
        case .claim: .claim
        case .summary: .summary
        case .reconcile: .odometersBesideTrips
        case .completeness: .completeness
        case .changes: .changes
        case .methods: .methodsTitle
        }
    }
}

extension Document.Table {
    /// Takes over a table for people, with all lines and the columns in which any line has a value,
    /// except for some columns.
    ///
    /// Some columns share a cell, one value below the other.
    init(_ table: TextTable, without leftOut: Set<Int>) {
        let shown = table.columns.indices
            .filter { table.widths[$0] > 0 && !leftOut.contains($0) }
        var groups: [[Int]] = []
        for index in shown {
            // A column that would stand below another one stays separate if that one is not shown.
            let isBelow = table.columns[index].below != .no && groups.last?.last == index - 1
            if isBelow {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        var lines: [Line] = []
        table.readLines { emphasis, cells in
            let kind: Line.Kind =
                switch emphasis {
                case .none, .strong: .line
                case .total: .total
                case .faint: .faint
                }
            lines.append(
                Line(
                    groups.map { group in
                        Self.stacked(group.map { (cells[$0], table.columns[$0].below) })
                    },
                    kind: kind
                )
            )
        }
        self.init(
            groups.map { group in
                let first = table.columns[group[0]]
                let titled = group.filter { $0 == group[0] || table.columns[$0].below == .titled }
                return Column(
                    title: titled.map { table.columns[$0].title }.joined(separator: "\n"),
                    isNumber: first.isNumber,
                    wraps: group.contains { table.columns[$0].wraps }
                )
            },
            lines
        )
    }

    /// Returns values one below the other; a value that repeats the one above it is left out.
    private static func stacked(_ cells: [(text: String, below: TextTable.Below)]) -> String {
        let first = cells[0].text
        var stacked = first
        for cell in cells.dropFirst() where !cell.text.isEmpty && cell.text != first {
            if stacked.isEmpty, cell.below == .untitled {
                // The value above it is missing, and both have one title.
                stacked = cell.text
            } else {
                // A dash holds the place of what is missing above it.
                stacked = (stacked.isEmpty ? "–" : stacked) + "\n" + cell.text
            }
        }
        return stacked
    }
}
