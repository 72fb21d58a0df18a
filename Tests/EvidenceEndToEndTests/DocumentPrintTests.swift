import Foundation
import TestSupport
import Testing

/// Documents that `ledger-print` prints, read back from the pages by poppler's tools.
@Suite(.enabled(if: PrintedSample.canBeRead, "needs pdftotext (`tools/setup --all`)"))
struct DocumentPrintTests {
    private let process: LedgerProcess

    init() throws { process = try LedgerProcess() }

    /// Prints a document as `report.pdf` and returns what each page says.
    private func pages(of sample: PrintedSample) throws -> [String] {
        try sample.json().write(to: process.directory.url.appendingPathComponent("document.json"))
        let outcome = try process.shell(
            "ledger-print pdf < document.json > report.pdf && pdftotext -layout report.pdf -"
        )
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        // A form feed ends each page.
        return outcome.text.split(separator: "\u{0C}").map(String.init)
    }

    private func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }

    @Test(arguments: [("a4", "landscape"), ("letter", "portrait")])
    func `every row stands on one page, in order, below a head and above the foot`(
        paper: String,
        orientation: String
    ) throws {
        var sample = PrintedSample.log(200)
        (sample.paper, sample.orientation) = (paper, orientation)
        let pages = try pages(of: sample)
        #expect(pages.count > 3)
        let rows = pages.flatMap(words).filter { $0.hasPrefix("day-") }
        #expect(rows.map(String.init) == (1...200).map { String(format: "day-%05d", $0) })
        #expect(pages.flatMap(words).filter { $0.hasPrefix("sum") }.count == 20)
        for (index, page) in pages.enumerated() {
            let lines = page.split(separator: "\n")
            #expect(lines.filter { words(String($0)) == ["DATE", "PURPOSE", "KM"] }.count == 1)
            #expect(page.contains("Page \(index + 1) of \(pages.count)"))
            #expect(page.contains("Root 9ab3") && page.contains("12,345 entries"))
        }
        let row = try #require(pages[0].split(separator: "\n").first { $0.contains("day-00007") })
        #expect(words(String(row)) == ["day-00007", "Visit", "7.5"])
        #expect(words(pages[0]).prefix(2) == ["Mileage", "log"])
    }

    @Test func `a name turns no figure behind it`() throws {
        var sample = PrintedSample.log(1)
        sample.facts = [("Driver", "Eva \u{202E}321 km \u{2067}654 mi")]
        let page = try #require(pages(of: sample).first)
        #expect(page.contains("321 km") && page.contains("654 mi"), "\(page)")
    }

    @Test(arguments: [("a4", "portrait"), ("a4", "landscape"), ("letter", "portrait")])
    func `pages have the size of the paper, a title, a structure and an outline`(
        paper: String,
        orientation: String
    ) throws {
        var sample = PrintedSample.log(3)
        (sample.paper, sample.orientation) = (paper, orientation)
        sample.title = "Fahrtenbuch «Müller»"
        _ = try pages(of: sample)
        let facts = try process.shell("pdfinfo report.pdf").text
        let upright = paper == "a4" ? ["595.276", "841.89"] : ["612", "792"]
        let sides = orientation == "portrait" ? upright : upright.reversed()
        #expect(facts.contains("\(sides[0]) x \(sides[1]) pts"), "\(facts)")
        #expect(facts.contains("Fahrtenbuch «Müller»"))
        #expect(facts.contains(/Creator: +ledger-print/))
        #expect(!facts.contains("CreationDate"))
        let structure = try process.shell("pdfinfo -struct-text report.pdf").text
        let lines = structure.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let expected = ["Document", "H1 (block)", "L (block)", "H2 (block)", "Table (block)", "TR"]
        #expect(expected.allSatisfy(lines.contains), "\(structure)")
        #expect(lines.filter { $0.hasPrefix("TH") }.count == 3)
        #expect(lines.filter { $0.contains("Scope") }.count == 3)
        #expect(lines.filter { $0 == "TD" }.count == 9)
        #expect(lines.filter { $0.hasPrefix("LI") }.count == sample.facts.count)
        #expect(lines.contains(#""day-00003""#))
        let file = try Data(
            contentsOf: process.directory.url.appendingPathComponent("report.pdf")
        )
        #expect(file.range(of: Data("/Outlines".utf8)) != nil)
    }

    @Test func `a file names its language, its colours and its form for archives`() throws {
        var sample = PrintedSample.log(3)
        sample.title = "Fahrten <A & B>"
        _ = try pages(of: sample)
        let file = try Data(
            contentsOf: process.directory.url.appendingPathComponent("report.pdf")
        )
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.hasPrefix("%PDF-1.7\n"))
        #expect(text.contains("/Lang (en)"))
        #expect(text.contains("/OutputIntents [") && text.contains("/DisplayDocTitle true"))
        #expect(text.contains("<pdfaid:part>2</pdfaid:part>"))
        #expect(text.contains(/<pdf:Producer>cairo [0-9.]+ \(https[^<]+\)<\/pdf:Producer>/))
        #expect(text.contains("Fahrten &lt;A &amp; B&gt;"))
        #expect(try process.shell("pdfinfo report.pdf").text.contains(/Metadata Stream: +yes/))
    }

    @Test func `other fonts of a machine change no byte`() throws {
        var sample = PrintedSample.log(20)
        sample.title = "Fahrtenbuch, Übersicht – Żółć, Ελλάδα, Київ"
        try sample.json().write(to: process.directory.url.appendingPathComponent("document.json"))
        let outcome = try process.shell(
            """
            set -e
            font=$(fc-list 'DejaVu Sans:style=Book' file | head -n 1 | cut -d: -f1)
            cat > fonts.conf << END
            <?xml version="1.0"?>
            <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
            <fontconfig><dir>$(dirname "$font")</dir><cachedir>$PWD/cache</cachedir></fontconfig>
            END
            ledger-print pdf < document.json > all.pdf
            FONTCONFIG_FILE=$PWD/fonts.conf ledger-print pdf < document.json > few.pdf
            cmp all.pdf few.pdf
            pdffonts all.pdf | tail -n +3 | grep -vc DejaVuSans || true
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text == "0\n", "\(outcome.text)")
    }

    @Test func `that a file is made with another font is said`() throws {
        let document = process.directory.url.appendingPathComponent("document.json")
        try PrintedSample.log(1).json().write(to: document)
        let outcome = try process.shell(
            """
            set -e
            mkdir fonts
            cp "$(fc-list 'DejaVu Sans Mono:style=Book' file | head -n 1 | cut -d: -f1)" fonts
            cat > fonts.conf << END
            <?xml version="1.0"?>
            <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
            <fontconfig><dir>$PWD/fonts</dir><cachedir>$PWD/cache</cachedir></fontconfig>
            END
            ledger-print pdf < document.json > usual.pdf
            FONTCONFIG_FILE=$PWD/fonts.conf ledger-print pdf < document.json > other.pdf
            cmp -s usual.pdf other.pdf || echo others
            """
        )
        #expect(outcome.exitCode == 0 && outcome.text == "others\n", "\(outcome.text)")
        let notes = outcome.errors.split(separator: "\n")
        #expect(notes.count == 1 && notes[0].contains("DejaVu Sans is not installed"), "\(notes)")
    }

    @Test func `a page of a log takes no more than 25 kB`() throws {
        let pages = try pages(of: PrintedSample.log(400))
        let size = try process.shell("stat -c %s report.pdf").text
            .trimmingCharacters(in: .newlines)
        #expect(try #require(Int(size)) <= 25_000 * pages.count, "\(pages.count) pages")
    }

    @Test func `rows are no smaller than 8 points, and sums stand on one page`() throws {
        var sample = PrintedSample.log(1)
        let columns = (0..<14).map { ("COLUMN\($0)", "left", true) }
        let line = PrintedSample.line((0..<14).map { "some words of cell \($0)" })
        let sums = (0..<9).map { PrintedSample.line(["part-\($0)", "1.5"]) }
        sample.blocks = [
            PrintedSample.table(columns, Array(repeating: line, count: 30)),
            PrintedSample.table([("CLASS", "left", false), ("KM", "right", false)], sums),
        ]
        let pages = try pages(of: sample)
        #expect(pages.count { $0.contains("part-") } == 1)
        let boxes = try process.shell("pdftotext -bbox report.pdf -").text
        let heights = boxes.split(separator: "\n").filter { $0.contains(">words<") }
            .map { line in
                let edges = line.matches(of: /y(?:Min|Max)="([0-9.]+)"/)
                    .compactMap { Double($0.1) }
                return edges.count == 2 ? edges[1] - edges[0] : 0
            }
        // A box has the height of the font, which is more than its size.
        #expect(!heights.isEmpty && heights.allSatisfy { $0 > 8 })
    }

    @Test func `all fonts are embedded, of letters that are used only`() throws {
        var sample = PrintedSample.log(5)
        sample.facts.append(("Any script", "Ωμέγα Варшава عمّان 上海 🍜"))
        _ = try pages(of: sample)
        let fonts = try process.shell("pdffonts report.pdf").text.split(separator: "\n")
            .dropFirst(2)
        #expect(!fonts.isEmpty)
        for font in fonts {
            // Columns from the right: object (two numbers), unicode, subset, embedded.
            #expect(words(String(font)).suffix(5).prefix(2) == ["yes", "yes"], "\(font)")
        }
    }

    @Test(arguments: [21, 61, 177])
    func `the code is in the file once, and large enough for a camera`(count: Int) throws {
        var sample = PrintedSample.log(60)
        sample.code = (0..<count)
            .map { row in
                String((0..<count).map { ($0 ^ row) % 3 == 0 ? "1" : "0" })
            }
        let pages = try pages(of: sample)
        #expect(pages.count > 2)
        let file = try Data(
            contentsOf: process.directory.url.appendingPathComponent("report.pdf")
        )
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.matches(of: /\/Subtype \/Form/).count == 1)
        let boxes = text.matches(of: /\/BBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]/)
        let box = try #require(boxes.first)
        let (width, height) = (Double(box.1) ?? 0, Double(box.2) ?? 0)
        // 18 mm, and 0.35 mm for each field, in points.
        #expect(width == height && width >= max(18, Double(count) * 0.35) / 25.4 * 72)
    }

    @Test func `the same document is the same file`() throws {
        try PrintedSample.log(60).json()
            .write(to: process.directory.url.appendingPathComponent("document.json"))
        let outcome = try process.shell(
            """
            for form in pdf png; do
                ledger-print $form < document.json > first.$form && sleep 1.1
                ledger-print $form < document.json > second.$form
                cmp first.$form second.$form || exit 1
            done
            head -c 4 first.png | tail -c 3
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text == "PNG")
    }

    @Test func `a row that is higher than a page loses nothing`() throws {
        var sample = PrintedSample.log(3)
        let words = (0..<1_700).map { "word\($0)" }
        let column = (title: "NOTES", alignment: "left", wraps: true)
        sample.blocks.append(
            PrintedSample.table([column], [PrintedSample.line([words.joined(separator: " ")])])
        )
        let pages = try pages(of: sample)
        let printed = pages.flatMap { self.words($0) }.filter { $0.hasPrefix("word") }
        #expect(printed.map(String.init) == words)
    }

    @Test(arguments: [20, 23, 26, 29])
    func `a short table stands on one page, wherever it begins`(rows: Int) throws {
        var sample = PrintedSample.log(rows)
        let columns = [("CLASS", "left", false), ("KM", "right", false)]
        let lines = (0..<5).map { PrintedSample.line(["class-\($0)", "\($0).5"]) }
        let total = PrintedSample.line(["together", "10.0"], "total")
        sample.blocks += [["heading": "Sums"], PrintedSample.table(columns, lines + [total])]
        let pages = try pages(of: sample)
        let parts = pages.filter { page in
            words(page).contains { $0.hasPrefix("class-") || $0 == "together" || $0 == "Sums" }
        }
        #expect(parts.count == 1, "\(rows)")
    }

    @Test func `a closing sentence stands with the last rows`() throws {
        for rows in stride(from: 20, through: 44, by: 2) {
            var sample = PrintedSample.log(rows)
            sample.blocks.append(["paragraph": "Closing."])
            let last = try #require(try pages(of: sample).last)
            let lines = words(last)
                .count { word in
                    word.hasPrefix("day-") || word.hasPrefix("sum") || word == "Closing."
                }
            #expect(lines >= 5 && last.contains("Closing."), "\(rows) rows: \(last)")
        }
    }

    @Test func `a signature never stands alone on the last page`() throws {
        for rows in 20...44 {
            var sample = PrintedSample.log(rows)
            sample.blocks += (0..<9).map { ["paragraph": "sentence-\($0)"] as [String: Any] }
            sample.blocks += [
                ["heading": "Signature"], ["paragraph": "\u{A0}\nPlace ____ Name ____"],
            ]
            let last = try #require(try pages(of: sample).last)
            let sentences = words(last).count { $0.hasPrefix("sentence-") }
            #expect(sentences >= 5 && last.contains("Signature"), "\(rows) rows: \(last)")
        }
    }

    @Test(arguments: [
        [
            "DATE START END FROM TO PURPOSE CLIENT CLASS VEHICLE/DRIVER ODOMETER+mi/UNTIL+mi",
            "BETWEEN+mi DISTANCE+mi/MEASURED+mi EXCLUDED+mi GAPS/GAP+mi FLAGS DAYS TRIP",
        ],
        [
            "DATUM BE-GINN ENDE VON NACH ZWECK KUNDE ART FAHR-ZEUG/FAHRER",
            "KILO-METER-STAND+mi/BIS+mi DA-ZWI-SCHEN+mi STRE-CKE+mi/GE-MES-SEN+mi",
            "AUS-GE-NOM-MEN+mi LÜ-CKEN/LÜCKE+mi MERK-MALE TAGE FAHRT",
        ],
        [
            "DATUM BEGIN EINDE VAN NAAR DOEL KLANT SOORT VOER-TUIG/BE-STUUR-DER",
            "KILO-METER-STAND+mi/TOT+mi TUS-SEN-DOOR+mi AF-STAND+mi/GE-ME-TEN+mi",
            "UIT-GE-SLO-TEN+mi HIA-TEN/HIAAT+mi KEN-MER-KEN DAGEN RIT",
        ],
        [
            "DATE DÉ-PART ARRI-VÉE DE À MOTIF CLIENT NATURE VÉHI-CULE/CONDUC-TEUR",
            "COMP-TEUR+mi/JUSQU’À+mi ENTRE-TEMPS+mi DIS-TANCE+mi/ME-SURÉ+mi EXCLU+mi",
            "LA-CUNES/LA-CUNE+mi INDI-CA-TIONS JOURS TRAJET",
        ],
    ])
    func `dates and figures of the widest log are whole on Letter, even beside a long word`(
        titles: [String]
    ) throws {
        let wrapping: Set = [3, 4, 5, 6, 8, 14]
        let figures: Set = [9, 10, 11, 12, 13, 15]
        let columns = titles.joined(separator: " ").split(separator: " ").enumerated()
            .map { index, title -> (String, String, Bool) in
                let title = String(title).replacing("-", with: "\u{AD}")
                    .replacing("+", with: "\u{A0}").replacing("/", with: "\n")
                let alignment = figures.contains(index) ? "right" : "left"
                return (title, alignment, wrapping.contains(index))
            }
        for place in ["Headquarters", String(repeating: "Llanfairpwll", count: 8)] {
            let cells = [
                "2025-01-02", "07:35", "17:59", place, "Customer",
                "Site inspection and customer consultation", "Hendersonville Construction",
                "professionnel", "van\nChristopher", "139461.17\n139481.05\ncalibrated", "504.66",
                "15.00\n11.13", "0.85", "1\n0.47", "entered late", "697", "01ea374e",
            ]
            try #require(columns.count == cells.count)
            var sample = PrintedSample.log(1)
            sample.paper = "letter"
            sample.blocks = [PrintedSample.table(columns, [PrintedSample.line(cells)])]
            let printed = try Set(pages(of: sample).flatMap(words))
            for (index, cell) in cells.enumerated() where !wrapping.contains(index) {
                for word in words(cell) { #expect(printed.contains(word), "\(titles[0])") }
            }
        }
    }

    @Test func `sums below rows have letters of their size`() throws {
        var sample = PrintedSample.log(1)
        let columns = (0..<16).map { ("COLUMN\($0)", "right", false) }
        let cells = (0..<16).map { "row-\($0)-0" }
        let sums = [
            PrintedSample.line(["part", "1.5"]), PrintedSample.line(["all", "1.5"], "total"),
        ]
        sample.blocks = [
            PrintedSample.table(columns, [PrintedSample.line(cells)]),
            PrintedSample.table([("CLASS", "left", false), ("KM", "right", false)], sums),
        ]
        _ = try pages(of: sample)
        let boxes = try process.shell("pdftotext -bbox report.pdf -").text
        func height(of word: String) throws -> Double {
            let line = try #require(boxes.split(separator: "\n").first { $0.contains(">\(word)<") })
            let edges = line.matches(of: /y(?:Min|Max)="([0-9.]+)"/).compactMap { Double($0.1) }
            try #require(edges.count == 2)
            return edges[1] - edges[0]
        }
        #expect(try abs(height(of: "row-3-0") - height(of: "part")) < 0.01)
    }

    @Test func `a picture keeps its shape and is followed by what it shows`() throws {
        var sample = PrintedSample.log(1)
        let label: [String: Any] = [
            "text": "inside", "at": [10, 9], "size": 8, "color": "#000000",
        ]
        let picture: [String: Any] = [
            "width": 640, "height": 5_000, "layers": [["items": [label]]],
        ]
        sample.blocks = [
            ["heading": "Months"], ["picture": picture, "alternative": "Distance of each month."],
        ]
        let pages = try pages(of: sample)
        // There is no room for it below the facts, so its heading goes with it.
        #expect(pages.count == 2)
        #expect(!pages[0].contains("Months") && words(pages[1]).prefix(2) == ["Months", "inside"])
        #expect(pages[1].contains("Distance of each month."))
        let structure = try process.shell("pdfinfo -struct report.pdf").text
        #expect(structure.contains("Figure"))
    }

    @Test func `an empty table has its head, and a document without blocks a page`() throws {
        var sample = PrintedSample()
        sample.code = nil
        #expect(try pages(of: sample).count == 1)
        sample.blocks = [PrintedSample.table([("WHAT", "left", true)], [])]
        let pages = try pages(of: sample)
        #expect(pages.count == 1 && pages[0].contains("WHAT") && pages[0].contains("Page 1 of 1"))
    }
}
