/// Standard time and, if the zone has it, summer time, year after year.
struct YearlyOffsetRule: Hashable, Sendable {
    /// The other part of the year: summer time, or a winter time that is behind standard time.
    struct Summer: Hashable, Sendable {
        /// The offset while it lasts, in seconds east of UTC.
        var offset: Int

        /// When it begins, by the clock of standard time.
        var start: YearlyMoment

        /// When it ends, by its own clock.
        var end: YearlyMoment
    }

    /// The offset of standard time, in seconds east of UTC.
    var standardOffset: Int

    /// Summer time, if there is any.
    var summer: Summer?

    /// Returns the offset at an instant, in seconds since 1970.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standardOffset }
        let localDay = (seconds + Int64(standardOffset)).flooredQuotient(by: 86_400)
        let year = CivilDate(daysSince1970: Int(localDay)).year
        var latest = Int64.min
        var offset = standardOffset
        // A moment can lie a week before or after its year (RFC 9636, section 3.3.2).
        for year in year - 1...year + 1 {
            let start = summer.start.localSeconds(inYear: year) - Int64(standardOffset)
            let end = summer.end.localSeconds(inYear: year) - Int64(summer.offset)
            if end <= seconds, end > latest { (latest, offset) = (end, standardOffset) }
            // If one begins when the other ends, it is always summer.
            if start <= seconds, start >= latest { (latest, offset) = (start, summer.offset) }
        }
        return offset
    }

    /// Returns when the offset changes in some years, in seconds since 1970; ascending.
    func changes(inYears years: ClosedRange<Int>) -> [Int64] {
        guard let summer else { return [] }
        return
            years.flatMap { year in
                [
                    summer.start.localSeconds(inYear: year) - Int64(standardOffset),
                    summer.end.localSeconds(inYear: year) - Int64(summer.offset),
                ]
            }
            .sorted()
    }
}

// Source: RFC 9636, section 3.3.2, and POSIX.1-2017, section 8.3, `TZ`.
extension YearlyOffsetRule {
    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0545>-5:45`.
    ///
    /// - Throws: `.invalidRule`.
    init(posix: [UInt8]) throws(TimeZoneProblem) {
        var reader = YearlyRuleReader(posix)
        try reader.skipName()
        standardOffset = -(try reader.readSeconds(hours: 0...24))
        guard Self.isWritable(standardOffset) else { throw .invalidRule }
        guard !reader.isAtEnd else { return }
        try reader.skipName()
        var offset = standardOffset + 3_600
        if !reader.takes(",") {
            offset = -(try reader.readSeconds(hours: 0...24))
            guard reader.takes(",") else { throw .invalidRule }
        }
        let start = try reader.readMoment()
        guard reader.takes(",") else { throw .invalidRule }
        summer = Summer(offset: offset, start: start, end: try reader.readMoment())
        guard reader.isAtEnd, Self.isWritable(offset) else { throw .invalidRule }
    }

    /// Whether RFC 3339 can write an offset.
    private static func isWritable(_ offset: Int) -> Bool { offset.magnitude <= 86_340 }
}

/// Reads the parts of a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRuleReader {
    private static let defaultSecondOfDay = 2 * 3_600
    private static let leastNameByteCount = 3

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { position == bytes.count }

    /// Reads a character if it comes next, and returns whether it did.
    mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads the name of a kind of time: three letters or more, or `<+03>`.
    mutating func skipName() throws(TimeZoneProblem) {
        let isQuoted = takes("<")
        let start = position
        while position < bytes.count, Self.isOfName(bytes[position], isQuoted: isQuoted) {
            position += 1
        }
        guard position - start >= Self.leastNameByteCount, !isQuoted || takes(">") else {
            throw .invalidRule
        }
    }

    /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func readSeconds(hours: ClosedRange<Int>) throws(TimeZoneProblem) -> Int {
        let isNegative = takes("-")
        if !isNegative { _ = takes("+") }
        var seconds = try readNumber(in: hours) * 3_600
        if takes(":") {
            seconds += try readNumber(in: 0...59) * 60
            if takes(":") { seconds += try readNumber(in: 0...59) }
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `Jn`, `n` or `Mm.w.d`, and the time after a stroke.
    mutating func readMoment() throws(TimeZoneProblem) -> YearlyMoment {
        let day: YearlyMoment.Day
        if takes("J") {
            day = .ofCommonYear(try readNumber(in: 1...365))
        } else if takes("M") {
            let month = try readNumber(in: 1...12)
            guard takes(".") else { throw .invalidRule }
            let week = try readNumber(in: 1...5)
            guard takes(".") else { throw .invalidRule }
            day = .ofWeek(month: month, week: week, weekday: try readNumber(in: 0...6))
        } else {
            day = .ofYear(try readNumber(in: 0...365))
        }
        let second = takes("/") ? try readSeconds(hours: 0...167) : Self.defaultSecondOfDay
        return YearlyMoment(day: day, secondOfDay: second)
    }

    private mutating func readNumber(in range: ClosedRange<Int>) throws(TimeZoneProblem) -> Int {
        let start = position
        var number = 0
        while position < bytes.count, position - start < 3, bytes[position] &- 0x30 < 10 {
            number = number * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        guard position > start, range.contains(number) else { throw .invalidRule }
        return number
    }

    private static func isOfName(_ byte: UInt8, isQuoted: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
        default: false
        }
    }
}

/// A moment that comes every year, by a local clock.
struct YearlyMoment: Hashable, Sendable {
    /// How its day is found.
    enum Day: Hashable, Sendable {
        /// The n-th day of the year, 1 … 365; 29 February is never counted.
        case ofCommonYear(Int)

        /// The n-th day of the year, 0 … 365; 29 February is counted.
        case ofYear(Int)

        /// The n-th occurrence of a day of the week, 0 (Sunday) … 6, in a month; 5 is the last one.
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
