import DriveSimulation
import JSONText
import TestSupport
import Testing

@testable import Papers

/// `ledger-print` reads the JSON that `ledger` writes: one form, both ways.
@Suite struct PaperFormTests {
    private static let texts = ["", "Delft", "\"\\\n\t\u{0}\u{1F}", "زيارة 客户 🚗", "\u{FFFF}"]

    /// Random pictures that have no more than what is seen on white paper.
    private struct Pictures {
        var random: SplitMix64

        mutating func text() -> String { texts.randomElement(using: &random) ?? "" }

        mutating func bool() -> Bool { Bool.random(using: &random) }

        /// A length of whole hundredths, which JSON has exactly.
        mutating func length(_ range: ClosedRange<Int> = -99_999_999...99_999_999) -> Double {
            Double(Int.random(in: range, using: &random)) / 100
        }

        mutating func point() -> Point { Point(length(), length()) }

        mutating func color() -> Ink {
            let parts = (0..<3).map { _ in Double(Int.random(in: 0...255, using: &random)) / 255 }
            return .color(Color(red: parts[0], green: parts[1], blue: parts[2]))
        }

        mutating func path() -> Item {
            let lines = (0..<Int.random(in: 0...3, using: &random))
                .map { _ in (0..<Int.random(in: 0...4, using: &random)).map { _ in point() } }
            let fill = bool() ? color() : nil
            let opacity = length(0...100)
            guard bool() else { return .path(Path(lines, fill: fill, opacity: opacity)) }
            return .path(
                Path(
                    lines,
                    fill: fill,
                    stroke: color(),
                    width: length(0...900),
                    dash: bool() ? length(1...900) : nil,
                    opacity: opacity
                )
            )
        }

        mutating func item() -> Item {
            switch Int.random(in: 0...2, using: &random) {
            case 0: return path()
            case 1:
                let shape = Mark.Shape.allCases.randomElement(using: &random) ?? .disc
                return .mark(Mark(shape, at: point(), radius: length(0...900), color()))
            default:
                return .label(
                    Label(
                        text(),
                        at: point(),
                        size: length(100...9_900),
                        isBold: bool(),
                        anchor: .allCases.randomElement(using: &random) ?? .start,
                        color(),
                        halo: bool() ? color() : nil
                    )
                )
            }
        }

        mutating func page() -> Page {
            var page = Page(width: length(100...3_200_000), height: length(100...3_200_000))
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let clip = Box(x: length(), y: length(), width: length(), height: length())
                let items = (0..<Int.random(in: 0...9, using: &random)).map { _ in item() }
                page.layers.append(Layer(clip: bool() ? clip : nil, items))
            }
            return page
        }

        mutating func picture() -> Picture {
            let pages = (0..<Int.random(in: 1...3, using: &random)).map { _ in page() }
            return Picture(title: text(), pages: pages)
        }
    }

    private static func read(_ picture: [UInt8]) throws -> Picture {
        try Picture(json: try JSONValue(picture.span))
    }

    private static func read(_ document: [UInt8]) throws -> Document {
        try Document(json: try JSONValue(document.span))
    }

    @Test(arguments: Seeds.fresh(400))
    func `a picture of what is seen on paper is read as it was written`(seed: UInt64) throws {
        var pictures = Pictures(random: SplitMix64(seed: seed))
        let picture = pictures.picture()
        #expect(try Self.read(picture.json) == picture, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(400))
    func `a document is read as it was written`(seed: UInt64) throws {
        var pictures = Pictures(random: SplitMix64(seed: seed))
        var document = DocumentTests.document(seed: seed)
        document.blocks = document.blocks.map { block in
            guard case .picture(_, let alternative) = block else { return block }
            return .picture(pictures.page(), alternative: alternative)
        }
        if pictures.bool() { document.pageWords = "{page} / {pages}" + pictures.text() }
        #expect(try Self.read(document.json) == document, "seed \(seed)")
    }

    @Test func `inks become their colours on paper, and writing them again changes nothing`()
        throws
    {
        var items: [Item] = []
        for (index, ink) in Ink.roles.enumerated() {
            let point = Point(Double(index) / 3, 2)
            let label = Label("x", at: point, offset: Point(1, 1), ink, halo: .casing)
            items.append(.label(label))
            items.append(.mark(Mark(.disc, at: point, radius: 1 / 3, ink, title: "mark")))
            items.append(.path(Path([[point]], fill: ink, stroke: ink, title: "path")))
        }
        let page = Page(width: 9, height: 9, layers: [Layer(.map, items)])
        let json = Picture(title: "All inks", pages: [page]).json
        let read: Picture = try Self.read(json)
        #expect(read.json == json)
        var inks: [Ink] = []
        for case .mark(let mark) in read.pages[0].layers[0].items { inks.append(mark.ink) }
        #expect(inks.map(\.light) == Ink.roles.map(\.light))
        #expect(inks.allSatisfy { $0.light == $0.dark })
    }

    @Test(arguments: ["#1d568", "1d5687#", "#1d56870", "#+d5687", "#1d568g", "", "red"])
    func `a text that is no colour is none`(text: String) {
        #expect(Color(text) == nil)
    }

    @Test func `every colour is read as it was written`() {
        for part in 0..<256 {
            let color = Color(red: Double(part) / 255, green: 0, blue: Double(255 - part) / 255)
            #expect(Color(color.text) == color)
        }
        #expect(Color(red: 29 / 255.0, green: 86 / 255.0, blue: 135 / 255.0).text == "#1d5687")
    }

    @Test func `every role has two colours and is listed once`() {
        #expect(Set(Ink.roles).count == Ink.roles.count)
        #expect(Ink.roles.allSatisfy { Color($0.light) != nil && Color($0.dark) != nil })
    }

    @Test func `a picture that was read is drawn in its colours as SVG too`() throws {
        let ink = Ink.color(Color(red: 1, green: 0.5, blue: 0))
        let label = Label("Delft", at: Point(1, 2), isBold: true, ink, halo: ink)
        let path = Path([[Point(0, 0), Point(1, 1)]], fill: .sea, stroke: ink)
        let page = Page(width: 9, height: 9, layers: [Layer(.fixed, [.label(label), .path(path)])])
        var bytes: [UInt8] = []
        var writer = SVGWriter(.file)
        writer.append(page, titled: "x", to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#"<text class="b h" style="fill:#ff8000;stroke:#ff8000""#))
        #expect(text.contains(#"<path class="f-sea" style="stroke:#ff8000""#))
    }
}
