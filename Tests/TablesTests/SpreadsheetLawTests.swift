import DriveSimulation
import Tables
import TestSupport
import Testing
import TripEvents

/// CSV for spreadsheets of any language.
@Suite struct SpreadsheetLawTests {
    private struct Sample {
        let texts: [String?]
        let number: Int64
    }

    private static let columns = Columns<Sample> {
        Column.text("first") { $0.texts[0] }
        Column.thousandths("number") { $0.number }
        Column.text("second, or; other") { $0.texts[1] }
        Column.list("list") { $0.texts.compactMap(\.self) }
    }

    @Test(arguments: Seeds.fresh(20))
    func `the fields are the same with either decimal mark`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [";", ",", "\"", "\n", ".", "1", "é", " ", "=", "x"]
        let rows = (0..<20)
            .map { _ in
                Sample(
                    texts: (0..<2)
                        .map { _ in
                            guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
                            return (0..<Int.random(in: 0...6, using: &random))
                                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)]
                                }
                                .joined()
                        },
                    number: Int64.random(in: -9_999_999...9_999_999, using: &random)
                )
            }
        var point = Self.records(rows, .point)
        let comma = Self.records(rows, .comma)
        #expect(point.count == rows.count + 1, "seed \(seed)")
        for index in point.indices.dropFirst() {
            #expect(point[index][1].split(separator: ".").count == 2, "seed \(seed)")
            point[index][1] = point[index][1].replacing(".", with: ",")
        }
        #expect(point == comma, "seed \(seed)")
    }

    @Test(arguments: ["0.636", "1.0", "0.45 to 10000, 0.25 above", "x 1.2", "12"])
    func `figures that JSON has as a text have the mark of the spreadsheet`(figures: String) {
        let columns = Columns<String> { Column.figures("rate") { $0 } }
        for mark in DecimalMark.allCases {
            var bytes: [UInt8] = []
            var style = TextStyle()
            style.spreadsheet = mark
            columns.appendCSV(figures, to: &bytes, CSVForm(style))
            let written = String(decoding: bytes, as: UTF8.self)
            let isComma = mark == .comma
            let expected = isComma ? figures.replacing(".", with: ",") : figures
            #expect(written.contains(expected), "\(written)")
        }
        var json: [UInt8] = []
        columns.appendJSON(figures, to: &json, by: nil)
        #expect(String(decoding: json, as: UTF8.self) == #"{"rate":"\#(figures)"}"#)
        var csv: [UInt8] = []
        columns.appendCSV(figures, to: &csv, CSVForm())
        #expect(String(decoding: csv, as: UTF8.self).contains(figures))
    }

    private static let hostileParts = [
        "=1+1", "+1", "-1+cmd|' /C calc'!A1", "@SUM(1)", "\u{FF1D}1+1", "\u{FF0B}1", "\u{FE66}1",
        " ", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}", "\u{202E}", "\"", ";", ",", "\t", "\r\n",
        "a", "'", "é", ". ",
    ]

    @Test(arguments: Seeds.fresh(40))
    func `no part of a text is a formula, whatever separates cells`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = Self.hostileParts
        for mark in DecimalMark.allCases {
            for _ in 0..<20 {
                let text = (0..<Int.random(in: 1...6, using: &random))
                    .map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
                    .joined()
                expectNoFormula(in: text, mark, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        ("a;=1+1", "a;'=1+1"), (" =1+1", "' =1+1"), ("\u{A0}=1+1", "'\u{A0}=1+1"),
        ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("a,\"=1+1", "a,'\"=1+1"), ("a\n-1", "a\n'-1"),
        ("=1;=2", "'=1;'=2"), ("A-B = C; D", "A-B = C; D"), ("\tx", "'\tx"), ("café", "café"),
    ])
    func `a part that would be computed has an apostrophe before it`(text: String, cell: String) {
        for mark in DecimalMark.allCases {
            let written = Self.records([Sample(texts: [text, nil], number: 1)], mark)
            #expect(written.last?.first.map { Array($0.utf8) } == Array(cell.utf8))
        }
    }

    @Test func `for programs only the beginning of a cell matters`() {
        var bytes: [UInt8] = []
        var writer = RowWriter(Self.columns, as: .csv)
        writer.begin(to: &bytes)
        writer.add(Sample(texts: ["a;=1+1", " =1"], number: 1), to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("\na;=1+1,0.001,' =1,a;=1+1;  =1\n"))
    }

    @Test(arguments: [
        ("\u{FEFF}=1+1", true), ("\u{FF1D}1+1", true), ("\u{FE66}1", true), ("\u{A0}@A", true),
        ("\u{200B} +1", true), ("\u{202E}-1", true), ("\n=1", true), ("\tx", true), ("=1", true),
        ("\u{FEFF}a=1", false), (" a", false), ("é=1", false), ("a\u{FF1D}1", false), ("(", false),
        ("1-2", false), (" ", false), ("\u{FEFF}", false), ("z", false), ("{", false), ("-1", true),
    ])
    func `for programs a cell that would be computed has an apostrophe before it`(
        text: String,
        isGuarded: Bool
    ) {
        var bytes: [UInt8] = []
        Cell.appendCSV(text, to: &bytes, CSVForm())
        let written = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let field = written.filter { $0 != "\"" }
        let expected = (isGuarded ? "'" : "") + text
        #expect(Array(String(field).utf8) == Array(expected.utf8))
    }

    /// Splits what is written at each character that may separate cells, in quotes or not, and
    /// expects none of the pieces to be computed.
    private func expectNoFormula(in text: String, _ mark: DecimalMark, _ comment: Comment) {
        var bytes: [UInt8] = []
        var style = TextStyle()
        style.spreadsheet = mark
        var writer = RowWriter(Self.texts, as: .csv, style: style)
        writer.begin(to: &bytes)
        writer.add(Sample(texts: [text, nil], number: 0), to: &bytes)
        let written = String(decoding: bytes.dropFirst(3), as: UTF8.self).unicodeScalars
        for piece in written.split(whereSeparator: { ",;\t\r\n".unicodeScalars.contains($0) }) {
            let first = piece.first {
                $0 != "\"" && !$0.properties.isWhitespace
                    && $0.properties.generalCategory != .format
            }
            let isSign = first.map { "=+-@＝＋－＠﹦﹢﹣﹫".unicodeScalars.contains($0) } ?? false
            #expect(!isSign, "\(comment) \(text.debugDescription)")
        }
    }

    private static let texts = Columns<Sample> { Column.text("first") { $0.texts[0] } }

    /// Writes rows, and reads them as RFC 4180 has it, with the separator of the decimal mark.
    private static func records(_ rows: [Sample], _ mark: DecimalMark) -> [[String]] {
        var bytes: [UInt8] = []
        var style = TextStyle()
        style.spreadsheet = mark
        var writer = RowWriter(columns, as: .csv, style: style)
        writer.begin(to: &bytes)
        for row in rows { writer.add(row, to: &bytes) }
        #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
        let separator = mark == .point ? UInt8(ascii: ",") : UInt8(ascii: ";")
        var records: [[String]] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var rest = bytes.dropFirst(3)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                if isQuoted, rest.first == byte {
                    field.append(byte)
                    rest.removeFirst()
                } else {
                    isQuoted.toggle()
                }
            } else if !isQuoted, byte == separator || byte == UInt8(ascii: "\r") {
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
                guard byte == UInt8(ascii: "\r") else { continue }
                records.append(fields)
                fields = []
                rest.removeFirst()
            } else {
                field.append(byte)
            }
        }
        return records
    }
}
