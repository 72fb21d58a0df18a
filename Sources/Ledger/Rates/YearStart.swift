public import TripEvents

/// The day of a year on which tax years begin: 1 January, 6 April or 1 July, and any other.
public struct YearStart: Hashable, Sendable, CustomStringConvertible {
    /// 1 January, as calendars do.
    public static let january = YearStart(month: 1, day: 1)

    /// The month.
    let month: Int

    /// The day of the month.
    let day: Int

    private init(month: Int, day: Int) {
        self.month = month
        self.day = day
    }

    /// Reads `04-06`, or returns `nil` if `text` is something else, or a day that some years do not
    /// have.
    public init?(_ text: String) {
        guard let date = CivilDate("2001-" + text) else { return nil }
        self.init(month: date.month, day: date.day)
    }

    /// The day as `04-06`.
    public var description: String {
        // A year of four digits and a dash stand before it.
        String((CivilDate(year: 2001, month: month, day: day)?.description ?? "").dropFirst(5))
    }

    /// Returns the year in which a day lies.
    public func year(of day: CivilDate) -> ClosedRange<CivilDate> {
        let isBefore = (day.month, day.day) < (month, self.day)
        return year(beginningIn: isBefore ? day.year - 1 : day.year)
    }

    /// Returns the year that begins in a year of the calendar.
    public func year(beginningIn year: Int) -> ClosedRange<CivilDate> {
        let first = CivilDate(year: year, month: month, day: day) ?? Self.firstDay
        let next = CivilDate(year: year + 1, month: month, day: day)
        return first...max(first, next?.dayBefore ?? Self.lastDay)
    }

    /// The first and last days that there are.
    private static let firstDay = CivilDate(daysSince1970: -719_162)
    private static let lastDay = CivilDate(daysSince1970: 2_932_896)
}

extension CivilDate {
    /// The day before.
    package var dayBefore: CivilDate { CivilDate(daysSince1970: daysSince1970 - 1) }
}
