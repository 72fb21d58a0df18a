import Testing

@testable import TripLedger

/// Days and months that are said in words mean days by the day on which they are said.
@Suite struct DayWordTests {
    @Test(arguments: [
        ("2026-01-15", "2025-12-01", "2025-12-31"), ("2024-03-31", "2024-02-01", "2024-02-29"),
        ("2025-03-01", "2025-02-01", "2025-02-28"),
    ])
    func `the last month is the one before this one`(
        today: String,
        first: String,
        last: String
    ) throws {
        let today = try #require(CivilDate(today))
        var request = try ReportRequest(
            json: Array(#"{"version":1,"report":"log","month":"last"}"#.utf8)
        )
        try request.check()
        try request.checkForIssue()
        #expect(request.days() == (nil, nil))
        request.sayDays(on: today)
        let days = request.days()
        #expect(days.first == CivilDate(first) && days.last == CivilDate(last))
        #expect(MonthWord.this.month(on: today).first.month == today.month)
    }

    @Test func `yesterday is the day before today, whatever month that is in`() throws {
        let today = try #require(CivilDate("2026-03-01"))
        #expect(DayWord.yesterday.day(on: today) == CivilDate("2026-02-28"))
        #expect(DayWord.today.day(on: today) == today)
        #expect(throws: ReportProblem.self) {
            try ReportRequest(json: Array(#"{"version":1,"report":"log","day":"tomorrow"}"#.utf8))
                .check()
        }
    }
}
