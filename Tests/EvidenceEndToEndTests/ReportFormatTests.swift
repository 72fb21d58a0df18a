import Foundation
import TestSupport
import Testing

/// The reports say the same in every format, and the same as the mileage log.
@Suite struct ReportFormatTests {
    private static func book() throws -> LedgerProcess {
        let ledger = try LedgerProcess()
        try ledger.begin()
        let classes = ["business", "commute", "personal", "mixed", "unclassified", "medical"]
        let lines = (0..<240)
            .map { trip in
                let start = Date(timeIntervalSince1970: 1_704_103_200 + 172_800 * Double(trip))
                let end = start.addingTimeInterval(1_500)
                return """
                    {"type":"trip_reported","source":"paper",\
                    "occurred_at":"\(end.formatted(.iso8601))","id":"\(trip)",\
                    "started_at":"\(start.formatted(.iso8601))",\
                    "ended_at":"\(end.formatted(.iso8601))",\
                    "distance_m":\(trip * 1_237 % 90_001),"class":"\(classes[trip % 6])",\
                    "vehicle":"\(trip % 4 == 0 ? "car" : "van")"}

                    """
            }
        _ = try ledger.append(Data(lines.joined().utf8))
        return ledger
    }

    private static func object(_ text: String) throws -> [String: Any] {
        let data = Data(text.utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The sum of a column of CSV in metres, in whole millimetres.
    private static func sum(_ column: String, _ lines: [String]) throws -> Int64 {
        let titles = lines[0].trimmingCharacters(in: .whitespacesAndNewlines)
            .split(
                separator: ",",
                omittingEmptySubsequences: false
            )
        let index = try #require(titles.firstIndex { $0 == column })
        return try lines.dropFirst()
            .reduce(0) { sum, line in
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                let digits = cells[index].filter { $0 != "." }
                return sum + (try #require(Int64(digits)))
            }
    }

    private static func millimeters(_ value: Any?) throws -> Int64 {
        let number = try #require(value as? NSNumber)
        return Int64((number.doubleValue * 1_000).rounded())
    }

    @Test(arguments: [nil, "us", "gb", "ca", "nl", "de", "au", "fr"])
    func `a summary adds up to the mileage log in JSON, CSV and text`(
        jurisdiction: String?
    ) throws {
        let ledger = try Self.book()
        let country = jurisdiction.map { ["--jurisdiction", $0] } ?? []
        let log = try ledger.run(["report", "log", "--format", "json"])
        let total = try Self.object(try #require(log.lines.last))
        let distance = try Self.millimeters(total["distance_m"])
        let json = try ledger.run(["report", "summary", "--format", "json"] + country)
        let report = try Self.object(json.text)
        #expect(try Self.millimeters(report["distance_m"]) == distance)
        for (list, member) in [("years", "total_m"), ("months", "distance_m")] {
            let rows = try #require(report[list] as? [[String: Any]])
            let sum = try rows.reduce(0) { $0 + (try Self.millimeters($1[member])) }
            #expect(sum == distance, "\(list)")
        }
        let kilometers = try ledger.run(["report", "log", "--sums"])
        let text = try ledger.run(["report", "summary", "--units", "km"] + country)
        let printed = try
            #require(kilometers.lines.last { $0.hasPrefix("total") })
            .split(separator: " ")[2]
        let shown = try #require(text.lines.first { $0.hasPrefix("total") })
        #expect(shown.split(separator: " ").contains(printed), "\(shown)")
        let csv = try ledger.run(
            ["report", "summary", "--format", "csv", "--units", "km"] + country
        )
        let lines = csv.text.split(whereSeparator: \.isNewline).map(String.init)
        let rows = try #require(report["years"] as? [[String: Any]])
        #expect(lines.count == rows.count + 1)
        let parts = ["business_km", "commute_km", "other_km", "mixed_km", "unclassified_km"]
        let whole = try Self.sum("total_km", lines)
        #expect(try parts.reduce(0) { $0 + (try Self.sum($1, lines)) } == whole)
        #expect(whole == distance)
    }
}
