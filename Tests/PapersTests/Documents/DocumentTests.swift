import DriveSimulation
import Importers
import JSONText
import TestSupport
import Testing
import TripEvents

@testable import Papers

/// HTML and JSON of a document hold all its content, whatever that is.
@Suite struct DocumentTests {
    /// Texts as people and hostile people type them.
    private static let texts = [
        "", "Delft", "Bürö & Söhne", "<script>alert(1)</script>", "\"'`=", "a]]>b", "-->",
        "&amp;", "</td></tr>", "زيارة 客户 🚗", "\u{202E}evil", "%}*/{", "\\", "a\u{2069}b",
    ]

    /// A text as it is shown: marks that turn what follows are to be seen.
    private static func shown(_ text: String) -> String {
        text.replacing("\u{202E}", with: "\u{FFFD}").replacing("\u{2069}", with: "\u{FFFD}")
    }

    /// A document of random texts.
    static func document(seed: UInt64) -> Document {
        var random = SplitMix64(seed: seed)
        func text() -> String { texts.randomElement(using: &random) ?? "" }
        func table() -> Document.Table {
            let columns = (0..<Int.random(in: 1...6, using: &random))
                .map { _ in
                    Document.Table.Column(
                        title: text(),
                        isNumber: Bool.random(using: &random),
                        wraps: Bool.random(using: &random)
                    )
                }
            let lines = (0..<Int.random(in: 0...9, using: &random))
                .map { _ in
                    Document.Table.Line(
                        columns.map { _ in text() },
                        kind: Document.Table.Line.Kind.allCases.randomElement(using: &random)
                            ?? .line
                    )
                }
            return Document.Table(columns, lines)
        }
        func block() -> Document.Block {
            switch Int.random(in: 0...3, using: &random) {
            case 0: return .heading(text())
            case 1: return .paragraph(text())
            case 2: return .table(table())
            default:
                let box = Box(x: 1, y: 2, width: 30, height: 40)
                let label = Label(text(), at: Point(3, 4))
                let layer = Layer(clip: box, [.label(label)])
                return .picture(
                    Page(width: 64, height: 48, layers: [layer]),
                    alternative: text()
                )
            }
        }
        let modules = (0..<21)
            .map { _ in (0..<21).map { _ in Bool.random(using: &random) } }
        return Document(
            title: text(),
            language: .allCases.randomElement(using: &random) ?? .en,
            paper: .allCases.randomElement(using: &random) ?? .a4,
            orientation: .allCases.randomElement(using: &random) ?? .portrait,
            foot: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() },
            code: Bool.random(using: &random)
                ? Document.Code(text: text(), modules: modules) : nil,
            facts: (0..<4).map { _ in Document.Fact(label: text(), text: text()) },
            blocks: (0..<Int.random(in: 0...9, using: &random)).map { _ in block() }
        )
    }

    private static func html(_ document: Document) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = HTMLWriter(document)
        writer.append(to: &bytes)
        return bytes
    }

    /// The texts of elements of some names, in order, as an XML parser that is not ours reads them.
    private static func contents(
        of names: Set<String>,
        in html: [UInt8]
    ) throws -> [String] {
        // The scanner refuses document types.
        let body = Array(html.drop { $0 != UInt8(ascii: "\n") })
        var found: [String] = []
        var isOpen = false
        try XMLScanner()
            .read(body.span, isLast: true) { page in
                for token in page.tokens {
                    let text = String(decoding: page.bytes[token.range], as: UTF8.self)
                    switch token.kind {
                    case .start where names.contains(text):
                        found.append("")
                        isOpen = true
                    case .text where isOpen: found[found.count - 1] += text
                    case .end where names.contains(text): isOpen = false
                    default: break
                    }
                }
            }
        return found
    }

    private static func tables(of document: Document) -> [Document.Table] {
        document.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    }

    @Test(arguments: Seeds.fresh(200))
    func `a page is XML, and its cells are those of the document`(seed: UInt64) throws {
        let document = Self.document(seed: seed)
        let html = Self.html(document)
        let cells = try Self.contents(of: ["th", "td"], in: html)
        let expected = Self.tables(of: document)
            .flatMap { $0.columns.map(\.title) + $0.lines.flatMap(\.cells) }
            .map(Self.shown)
        #expect(cells == expected, "seed \(seed)")
        let facts = try Self.contents(of: ["dt", "dd"], in: html)
        let known = document.facts.flatMap { [$0.label, $0.text] }.map(Self.shown)
        #expect(facts == known, "seed \(seed)")
        let headings = try Self.contents(of: ["h1", "h2"], in: html)
        let own = document.blocks.compactMap { block in
            if case .heading(let text) = block { text } else { nil }
        }
        #expect(headings == ([document.title] + own).map(Self.shown), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(100))
    func `a page runs nothing and asks for nothing, whatever stands in it`(seed: UInt64) throws {
        let text = String(decoding: Self.html(Self.document(seed: seed)), as: UTF8.self)
        #expect(!text.contains("<script") && !text.contains("src="), "seed \(seed)")
        #expect(!text.contains("url(http"), "seed \(seed)")
        let known = ["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"]
        let addresses = text.split(separator: "\"").filter { $0.contains("://") }
        #expect(addresses.allSatisfy { known.contains(String($0)) }, "seed \(seed)")
        let style = try #require(text.split(separator: "<style>").dropFirst().first)
        let rules = try #require(style.split(separator: "</style>").first)
        // Nothing that was typed ends a rule: what is open is closed.
        #expect(rules.count { $0 == "{" } == rules.count { $0 == "}" }, "seed \(seed)")
        #expect(!rules.contains("<"), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(100))
    func `no text turns what stands beside it`(seed: UInt64) {
        let text = String(decoding: Self.html(Self.document(seed: seed)), as: UTF8.self)
        for scalar in text.unicodeScalars {
            let turns =
                (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
            #expect(!turns, "seed \(seed)")
        }
        // Nor in the strings of its style sheet.
        #expect(!text.contains("\\202e") && !text.contains("\\2069"), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(200))
    func `every id of a page is there once, and every name leads to one`(seed: UInt64) throws {
        let text = String(decoding: Self.html(Self.document(seed: seed)), as: UTF8.self)
        func values(of attribute: String) -> [Substring] {
            text.split(separator: " \(attribute)=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        }
        let ids = values(of: "id")
        #expect(Set(ids).count == ids.count, "seed \(seed)")
        #expect(Set(values(of: "aria-labelledby")).isSubset(of: ids), "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(200))
    func `the JSON of a document has every text of it`(seed: UInt64) throws {
        let document = Self.document(seed: seed)
        let value = try JSONValue(document.json.span)
        #expect(Self.texts(in: value["title"]) == [document.title], "seed \(seed)")
        #expect(Self.texts(in: value["language"]) == [document.language.rawValue])
        #expect(Self.texts(in: value["foot"]) == document.foot, "seed \(seed)")
        guard case .list(let blocks)? = value["blocks"] else {
            Issue.record("seed \(seed): no blocks")
            return
        }
        #expect(blocks.count == document.blocks.count, "seed \(seed)")
        let tables = blocks.compactMap { $0["table"] }
        #expect(tables.count == Self.tables(of: document).count, "seed \(seed)")
        for (table, own) in zip(tables, Self.tables(of: document)) {
            guard case .list(let lines)? = table["lines"] else {
                Issue.record("seed \(seed): no lines")
                return
            }
            let cells = lines.map { Self.texts(in: $0["cells"]) }
            #expect(cells == own.lines.map(\.cells), "seed \(seed)")
        }
        if case .null? = value["code"] {
            #expect(document.code == nil, "seed \(seed)")
        } else {
            #expect(document.code != nil, "seed \(seed)")
        }
    }

    /// The texts of a list, or the only one.
    private static func texts(in value: JSONValue?) -> [String] {
        switch value {
        case .text(let text)?: [text]
        case .list(let elements)?: elements.flatMap { texts(in: $0) }
        default: []
        }
    }

    @Test func `on paper a table has rows of 8 points, and no word of it is broken`() {
        let columns = [
            Document.Table.Column(title: "PURPOSE", wraps: true),
            Document.Table.Column(title: "KM", isNumber: true),
        ]
        let document = Document(
            title: "x",
            blocks: [.table(Document.Table(columns, [Document.Table.Line(["Besuch", "1"])]))]
        )
        let text = String(decoding: Self.html(document), as: UTF8.self)
        #expect(text.contains("table{width:100%;font-size:8pt}"))
        // On paper a time goes below its date before a word does, and a figure has one line.
        #expect(text.contains("thead th,td{white-space:pre-line}"))
        #expect(text.contains("#t1 td:nth-child(2){white-space:pre}"))
        let rules = text.split(separator: "\n").filter { $0.hasPrefix("#t1 ") }
        #expect(rules.count == 3 && !rules.contains { $0.contains("anywhere") })
    }

    @Test func `only long words of titles may be broken in a page`() throws {
        let titles = [
            "BE\u{AD}GINN", "FAHR\u{AD}ZEUG\nFAHRER", "STRE\u{AD}CKE km",
            "KILO\u{AD}METER\u{AD}STAND km\nBIS km",
        ]
        let columns = titles.map { Document.Table.Column(title: $0) }
        let document = Document(title: "x", blocks: [.table(Document.Table(columns, []))])
        #expect(
            try Self.contents(of: ["th"], in: Self.html(document)) == [
                "BEGINN", "FAHRZEUG\nFAHRER", "STRECKE km",
                "KILO\u{AD}METER\u{AD}STAND km\nBIS km",
            ]
        )
    }

    @Test func `the code of a page has the modules that it was given`() throws {
        var random = SplitMix64(seed: 5)
        let modules = (0..<25).map { _ in (0..<25).map { _ in Bool.random(using: &random) } }
        let document = Document(title: "x", code: Document.Code(text: "t", modules: modules))
        let text = String(decoding: Self.html(document), as: UTF8.self)
        let picture = try #require(text.split(separator: "<svg class=\"code\"").dropFirst().first)
        let path = try #require(picture.split(separator: " d=\"").dropFirst().first)
            .prefix { $0 != "\"" }
        var drawn = modules.map { $0.map { _ in false } }
        for run in path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            let (x, y, length) = (numbers[0] - 4, numbers[1] - 4, numbers[2])
            for column in x..<x + length { drawn[y][column] = true }
        }
        #expect(drawn == modules)
    }

    @Test(arguments: Document.Paper.allCases, Document.Orientation.allCases)
    func `a page prints on the paper of the document, with its foot`(
        paper: Document.Paper,
        orientation: Document.Orientation
    ) {
        let document = Document(
            title: "x",
            language: .de,
            paper: paper,
            orientation: orientation,
            foot: ["Ledger \"5f\"", "Root 9a"]
        )
        let text = String(decoding: Self.html(document), as: UTF8.self)
        let size = paper == .a4 ? "A4" : "letter"
        #expect(text.contains("@page{size:\(size) \(orientation.rawValue);"))
        #expect(text.contains(#"content:"Ledger \22 5f\22 ""\A ""Root 9a";white-space:pre"#))
        #expect(text.contains(#"content:"Seite " counter(page) " von " counter(pages);"#))
    }
}
