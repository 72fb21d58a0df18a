public import TripEvents

/// Days as people ask for them: one day, a month, or a year.
public struct AskedDays: Hashable, Sendable {
    /// The first of them.
    public let first: CivilDate

    /// The last of them.
    public let last: CivilDate

    /// Creates a day.
    public init(_ day: CivilDate) {
        (first, last) = (day, day)
    }

    /// Reads `2026-03-14`, `2026-03` or `2026`; `nil` if the text is none of these.
    public init?(_ text: String) {
        if let day = CivilDate(text) {
            self.init(day)
        } else if let january = CivilDate(text + "-01-01") {
            self.init(from: january, to: Self.lastDay(ofMonth: 12, of: january.year))
        } else if let day = CivilDate(text + "-01") {
            self.init(from: day, to: Self.lastDay(ofMonth: day.month, of: day.year))
        } else {
            return nil
        }
    }

    private init?(from first: CivilDate, to last: CivilDate?) {
        guard let last else { return nil }
        (self.first, self.last) = (first, last)
    }

    /// Whether they are the days of one month.
    public var isMonth: Bool { first.month == last.month && first != last }

    /// The days as ``init(_:)`` reads them.
    package var text: String {
        if first == last { return first.description }
        // The year and the month, or the year, of YYYY-MM-DD.
        return String(first.description.prefix(isMonth ? 7 : 4))
    }

    private static func lastDay(ofMonth month: Int, of year: Int) -> CivilDate? {
        (28...31).reversed().lazy.compactMap { CivilDate(year: year, month: month, day: $0) }.first
    }
}

/// A word for a day, which depends on the day on which it is said.
public enum DayWord: String, CaseIterable, Sendable {
    case today
    case yesterday

    /// Returns the day that the word means if it is said on a given day.
    public func day(on today: CivilDate) -> CivilDate {
        switch self {
        case .today: today
        case .yesterday: CivilDate(daysSince1970: today.daysSince1970 - 1)
        }
    }
}

/// A word for a month, which depends on the day on which it is said.
public enum MonthWord: String, CaseIterable, Sendable {
    case this
    case last

    /// Returns the month that the word means if it is said on a given day.
    public func month(on today: CivilDate) -> AskedDays {
        let day =
            switch self {
            case .this: today
            // The day before the first of this month.
            case .last: CivilDate(daysSince1970: today.daysSince1970 - today.day)
            }
        // The month of YYYY-MM-DD.
        return AskedDays(String(day.description.prefix(7))) ?? AskedDays(day)
    }
}
