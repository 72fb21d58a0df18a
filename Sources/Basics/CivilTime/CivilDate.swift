/// A day of the proleptic Gregorian calendar, in no time zone.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year, 1 … 9999.
    public let year: Int

    /// The month, 1 … 12.
    public let month: Int

    /// The day of the month, 1 … 31.
    public let day: Int

    /// Creates a date, or returns `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, ofYear: year)
        else { return nil }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    /// Creates a date from `YYYY-MM-DD`, or returns `nil` if `text` is something else.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-")
        else { return nil }
        var numbers: [Int] = []
        for range in [0..<4, 5..<7, 8..<10] {
            var number = 0
            for digit in digits[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
                number = number * 10 + Int(digit - UInt8(ascii: "0"))
            }
            numbers.append(number)
        }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// Creates the date that lies `days` after 1970-01-01.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    package init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(uncheckedYear: year, month: month, day: day)
    }

    /// Creates the date of a time by its own clock; without an offset, in UTC.
    package init(of time: EventTime) {
        self.init(daysSince1970: Self.daysSince1970(of: time))
    }

    /// Returns whether this is the date of a time by its own clock; without an offset, in UTC.
    package func isDate(of time: EventTime) -> Bool {
        Self.daysSince1970(of: time) == daysSince1970
    }

    private static func daysSince1970(of time: EventTime) -> Int {
        let minutes = Int64(time.utcOffset?.minutes ?? 0)
        let milliseconds = time.timestamp.milliseconds + minutes * 60_000
        return Int(milliseconds.flooredQuotient(by: Timestamp.millisecondsPerDay))
    }

    /// Days from 1970-01-01 to this date; negative before it.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    package var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date as `YYYY-MM-DD`.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a date as ``description`` writes it.
    package static let textByteCount = 10

    /// Appends the date as ``description`` writes it.
    package func append(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Self.textByteCount) { append(to: &$0) }
    }

    /// Appends the date as ``description`` writes it, for which there MUST be room.
    package func append(to span: inout OutputSpan<UInt8>) {
        RFC3339.append(twoDigits: year / 100, to: &span)
        RFC3339.append(twoDigits: year % 100, to: &span)
        span.append(UInt8(ascii: "-"))
        RFC3339.append(twoDigits: month, to: &span)
        span.append(UInt8(ascii: "-"))
        RFC3339.append(twoDigits: day, to: &span)
    }

    /// Returns whether one date is earlier than another.
    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private init(uncheckedYear year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    private static func days(inMonth month: Int, ofYear year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A day of the week, from Monday on as in ISO 8601; the raw value is its name in JSON.
public enum Weekday: String, CaseIterable, Sendable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// Whether it is Saturday or Sunday.
    public var isWeekend: Bool { self == .saturday || self == .sunday }

    /// How many days it comes after Monday, 0 … 6.
    package var daysAfterMonday: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension CivilDate {
    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let days = (daysSince1970 + 3) % 7
        return Weekday.allCases[days < 0 ? days + 7 : days]
    }
}
