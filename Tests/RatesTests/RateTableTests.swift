import Rates
import Testing
import TripEvents

/// How tables of rates are read and what becomes of several.
@Suite struct RateTableTests {
    private static func table(_ rows: String..., head: String = "") throws -> RateTable {
        let text = "{\"table\":\"t\",\(head)\"rates\":[\(rows.joined(separator: ","))]}\n"
        return try RateTable(Array(text.utf8))
    }

    private static func row(
        _ id: String = "a",
        from: String = "2026-01-01",
        rate: String = "\"rate\":\"0.35\"",
        _ more: String = ""
    ) -> String {
        """
        {"id":"\(id)","jurisdiction":"x","scheme":"s","classes":["business"],"from":"\(from)",\
        "currency":"EUR",\(rate)\(more)}
        """
    }

    @Test func `what is left out is a flat rate of one's own per kilometre`() throws {
        let row = try #require(try Self.table(Self.row()).rows.first)
        #expect(row.shape == .flat && row.unit == .kilometers && row.confidence == .own)
        #expect(row.knownFrom == row.from && row.isKnownFromAssumed)
        #expect(row.yearStart == .january && row.to == nil && row.vehicles.isEmpty)
    }

    @Test(arguments: [
        (row(rate: "\"rate\":0.35"), "number in quotes"),
        (row(rate: "\"rate\":\"1e3\",\"limit\":5"), "belongs to cap"),
        (row(rate: "\"rate\":\"0.1234567\""), "at most 6 decimals"),
        (row(rate: "\"rate\":\"-1\""), "0 to below 10000"),
        (row("A"), "small letters"), (row(from: "2026-02-30"), "a day such as"),
        (row("a", ",\"to\":\"2025-01-01\""), "before \"from\""),
        (row("a", ",\"sheme\":\"s\""), "no member \"sheme\""),
        (row("a", ",\"per\":\"person\""), "not to flat"),
        (row("a", ",\"shape\":\"cap\",\"limit\":5"), "person or vehicle"),
        (row("a", ",\"classes\":[]"), "twice"),
        (
            row(
                rate: "\"shape\":\"marginal_tiers\",\"per\":\"person\",\"tiers\":[{\"rate\":\"1\"},"
                    + "{\"up_to\":5,\"rate\":\"2\"}]"
            ), "ascend"
        ),
        (
            row(
                rate: "\"shape\":\"marginal_tiers\",\"per\":\"person\",\"tiers\":[{\"up_to\":5,"
                    + "\"rate\":\"2\"}]"
            ), "has no end"
        ),
        (
            row(
                from: "2026-02-01",
                rate: "\"shape\":\"whole_distance_bracket\",\"per\":\"vehicle\","
                    + "\"tiers\":[{\"rate\":\"1\",\"plus\":\"2\"}]"
            ), "whole years"
        ),
        ("\(row()),\(row())", "called \"a\""), ("\(row()),\(row("b"))", "nothing says which"),
        (row("a", ",\"sources\":[\"x\"]"), "has no \"x\""), (row() + "]}", "follows the value"),
        ("", "has no row"), (row("a", ",\"currency\":\"euro\""), "twice"),
    ])
    func `a table that is none is refused, and the reason says where`(
        rows: String,
        reason: String
    ) {
        let problem = #expect(throws: RateProblem.self) { try Self.table(rows) }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    }

    @Test func `the row of a later table, and of one table the one known later, holds`() throws {
        let program = try Self.table(
            Self.row("old", ",\"known_from\":\"2025-12-01\""),
            Self.row("new", from: "2026-03-01", ",\"known_from\":\"2026-06-01\"")
        )
        let loaded = try Self.table(
            Self.row("own", from: "2026-02-01", ",\"to\":\"2026-03-31\"")
        )
        func names(_ book: RateBook) -> [String] {
            book.stretches.map { "\($0.row.id) \($0.from) \($0.to?.description ?? "-")" }
        }
        #expect(
            names(RateBook([program])) == ["old 2026-01-01 2026-02-28", "new 2026-03-01 -"]
        )
        #expect(
            names(RateBook([program], knownOn: Claimed.day("2026-05-31"))) == ["old 2026-01-01 -"]
        )
        #expect(
            names(RateBook([program, loaded])) == [
                "old 2026-01-01 2026-01-31", "own 2026-02-01 2026-03-31", "new 2026-04-01 -",
            ]
        )
        #expect(RateBook([program], knownOn: Claimed.day("2025-11-30")).stretches.isEmpty)
    }

    @Test(arguments: [
        ("01-01", "2026-03-01", "2026-01-01", "2026-12-31"),
        ("04-06", "2026-04-05", "2025-04-06", "2026-04-05"),
        ("04-06", "2026-04-06", "2026-04-06", "2027-04-05"),
        ("07-01", "2026-06-30", "2025-07-01", "2026-06-30"),
        ("03-01", "2024-02-29", "2023-03-01", "2024-02-29"),
        ("01-01", "9999-12-31", "9999-01-01", "9999-12-31"),
    ])
    func `a tax year begins on its day`(
        start: String,
        day: String,
        first: String,
        last: String
    ) throws {
        let year = try #require(YearStart(start)).year(of: Claimed.day(day))
        #expect(year == Claimed.day(first)...Claimed.day(last))
        #expect(YearStart("02-29") == nil && YearStart("13-01") == nil)
    }
}
