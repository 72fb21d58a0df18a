import CivilTime
import Testing

@Suite struct WeekdayTests {
    @Test(arguments: [
        ("1969-12-31", Weekday.wednesday), ("1970-01-01", .thursday), ("2000-02-29", .tuesday),
        ("2025-01-01", .wednesday), ("2099-12-31", .thursday),
    ])
    func `days of the week go on without end`(day: String, weekday: Weekday) throws {
        #expect(try #require(CivilDate(day)).weekday == weekday)
    }
}
