import DriveSimulation
import LedgerTestSupport
import RowFormats
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
