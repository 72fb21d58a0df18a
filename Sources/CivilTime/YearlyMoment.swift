/// A moment that comes every year, by a local clock.
struct YearlyMoment: Hashable, Sendable {
    /// How its day is found.
    enum Day: Hashable, Sendable {
        /// The n-th day of the year, 1 … 365; 29 February is never counted.
        case ofCommonYear(Int)

        /// The n-th day of the year, 0 … 365; 29 February is counted.
        case ofYear(Int)

        /// A day of the week, 0 (Sunday) … 6, in the n-th week of a month in which there is one; 5
        /// is the last.
        case ofWeek(month: Int, week: Int, weekday: Int)
    }

    /// Its day.
    var day: Day

    /// Seconds since midnight of that day; may be negative, or more than a day.
    var secondOfDay: Int

    /// Returns the moment in seconds since 1970-01-01T00:00 of the local clock.
    func localSeconds(inYear year: Int) -> Int64 {
        let firstOfYear = Self.daysTo1January(of: year)
        let isLeap = Self.daysTo1January(of: year + 1) - firstOfYear == 366
        let dayOfYear =
            switch day {
            case .ofCommonYear(let number): number - (isLeap && number > 59 ? 0 : 1)
            case .ofYear(let number): number
            case .ofWeek(let month, let week, let weekday):
                Self.dayOfYear(firstOfYear, isLeap, month: month, week: week, weekday: weekday)
            }
        return Int64(firstOfYear + dayOfYear) * 86_400 + Int64(secondOfDay)
    }

    private static func dayOfYear(
        _ firstOfYear: Int,
        _ isLeap: Bool,
        month: Int,
        week: Int,
        weekday: Int
    ) -> Int {
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let firstOfMonth = lengths.prefix(month - 1).reduce(0, +)
        // 1970-01-01 was a Thursday.
        let firstWeekday = floored(firstOfYear + firstOfMonth + 4, modulo: 7)
        let day = floored(weekday - firstWeekday, modulo: 7) + (week - 1) * 7
        return firstOfMonth + (day < lengths[month - 1] ? day : day - 7)
    }

    /// Returns the days from 1970-01-01 to 1 January of a year of the Gregorian calendar.
    private static func daysTo1January(of year: Int) -> Int {
        let before = year - 1
        let leapDays = quotient(before, 4) - quotient(before, 100) + quotient(before, 400)
        // From 0001-01-01 to 1970-01-01 it is 719,162 days.
        return before * 365 + leapDays - 719_162
    }

    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        (number - floored(number, modulo: divisor)) / divisor
    }

    private static func floored(_ number: Int, modulo divisor: Int) -> Int {
        let remainder = number % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
