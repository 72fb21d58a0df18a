import TripEvents

/// A day, a month or a year as people type it, in the orders and with the marks that countries use.
///
/// Nothing is stored in this form; the stored form is that of ``AskedDays``.
package enum TypedDate: Hashable, Sendable {
    /// It can mean these days only.
    case days(AskedDays)

    /// Numbers with slashes between them, of which some countries write the day first and others
    /// the month: what each of them means, as far as there is a year and such a day.
    case slashes(dayFirst: CivilDate?, monthFirst: CivilDate?)

    /// A day and a month without a year of four digits.
    case withoutYear

    /// Reads `2026-03-14`, `14.03.2026` or `2026/3/14`, `2026-03` or `03.2026`, or `2026`, with or
    /// without zeros before days and months; `nil` if the text is no date at all.
    package init?(_ text: String) {
        for mark: Character in ["-", ".", "/"] where text.contains(mark) {
            let parts = text.split(separator: mark, omittingEmptySubsequences: false)
                .map(String.init)
            self.init(parts, mark)
            return
        }
        guard let days = AskedDays(text) else { return nil }
        self = .days(days)
    }

    private init?(_ parts: [String], _ mark: Character) {
        // "14.03." ends with a full stop.
        let numbers = mark == "." && parts.last == "" ? Array(parts.dropLast()) : parts
        guard numbers.allSatisfy(Self.isNumber), (2...3).contains(numbers.count) else { return nil }
        let isYearFirst = numbers[0].count == Self.yearDigits
        let isYearLast = numbers.last?.count == Self.yearDigits
        switch mark {
        case "-", "/":
            if isYearFirst, let days = Self.days(numbers) {
                self = .days(days)
            } else if mark == "/", !isYearFirst {
                self = .slashes(
                    dayFirst: isYearLast ? Self.days(numbers.reversed())?.first : nil,
                    monthFirst: isYearLast && numbers.count == 3
                        ? Self.days([numbers[2], numbers[0], numbers[1]])?.first : nil
                )
            } else {
                return nil
            }
        default:
            if isYearLast, let days = Self.days(numbers.reversed()) {
                self = .days(days)
            } else if !isYearLast, !isYearFirst {
                self = .withoutYear
            } else {
                return nil
            }
        }
    }

    /// The days, if there is only one way to understand it.
    package var days: AskedDays? {
        if case .days(let days) = self { days } else { nil }
    }

    /// What to say instead, as a sentence; `nil` if it can mean one thing only.
    package var advice: String? {
        switch self {
        case .days: return nil
        case .withoutYear: return "Say the year too, in four digits: 14.03.2026 or 2026-03-14."
        case .slashes(let dayFirst, let monthFirst):
            let readings = [
                dayFirst.map { "\($0) if the day stands first" },
                monthFirst.map { "\($0) if the month does" },
            ]
            .compactMap(\.self)
            guard !readings.isEmpty else {
                return "With slashes, the day or the month may stand first: say 2026-03-14 or "
                    + "14.03.2026."
            }
            return "With slashes, the day or the month may stand first: it is "
                + "\(readings.joined(separator: ", and ")). Say it like that."
        }
    }

    /// Returns what to say instead of a day, or of a day with a time; `nil` if there is no advice.
    package static func advice(onTime text: String) -> String? {
        text.split { $0 == " " || $0 == "T" }.lazy
            .compactMap { TypedDate(String($0))?.advice }
            .first
    }

    private static let yearDigits = 4

    /// Reads a year, a month and a day, as far as there are any, with or without zeros.
    private static func days(_ numbers: [String]) -> AskedDays? {
        let padded = numbers.map { $0.count == 1 ? "0" + $0 : $0 }
        return padded.allSatisfy { $0.count <= yearDigits }
            ? AskedDays(padded.joined(separator: "-")) : nil
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// A number as people type it, with a full stop or a comma before the fraction.
package struct TypedNumber: Hashable, Sendable {
    /// The number with a full stop; the text itself if it is no number of this form.
    package let literal: String

    /// What to say instead, as a sentence, if the comma can mean two things; else `nil`.
    package let advice: String?

    /// Reads a text: `12,5` is 12.5, while `1,234` is refused, because it can be more than a
    /// thousand.
    package init(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let digits = parts.first.map { $0.drop { $0 == "-" || $0 == "+" } } ?? ""
        guard parts.count == 2, !digits.isEmpty,
            (digits + parts[1]).utf8.allSatisfy({ (0x30...0x39).contains($0) }), !parts[1].isEmpty
        else {
            literal = text
            let hasBoth =
                text.contains(",")
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x2E }
            advice = hasBoth ? "Say a number without marks between thousands: 1234.5." : nil
            return
        }
        // Three digits after one to three others, which do not begin with a zero, are how thousands
        // are written.
        if parts[1].utf8.count == 3, digits.utf8.count <= 3, digits.first != "0" {
            literal = text
            advice =
                "It can be \(parts[0]).\(parts[1]) or \(parts[0])\(parts[1]): say one of these."
            return
        }
        literal = parts[0] + "." + parts[1]
        advice = nil
    }
}
