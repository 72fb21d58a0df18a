import TripEvents

/// A day and a time of day as Americans write them, `1/31/2024 8:05 AM`, or `2024-01-31 08:05`; a
/// day alone is its noon.
struct AmericanTime {
    private static let millisecondsPerMinute: Int64 = 60_000

    /// The reading of the clock, as if the clock were in UTC.
    private(set) var local: Timestamp

    /// Reads a time; `nil` if it is something else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard let date = words.first.flatMap({ Self.date($0) }),
            let minute = Self.minuteOfDay(words.dropFirst())
        else { return nil }
        local = Timestamp(
            milliseconds: Int64(date.daysSince1970) * Timestamp.millisecondsPerDay
                + Int64(minute) * Self.millisecondsPerMinute
        )
    }

    /// Moves to the next day.
    mutating func addDay() {
        local = Timestamp(milliseconds: local.milliseconds + Timestamp.millisecondsPerDay)
    }

    private static func date(_ text: Substring) -> CivilDate? {
        guard text.contains("/") else { return CivilDate(String(text)) }
        let numbers = numbers(text, separator: "/", 3)
        // A year of two digits may be a day: spreadsheets write both.
        guard let numbers, numbers[2] > 1_000 else { return nil }
        return CivilDate(year: numbers[2], month: numbers[0], day: numbers[1])
    }

    private static func minuteOfDay(_ words: ArraySlice<Substring>) -> Int? {
        guard let first = words.first else { return 12 * 60 }
        let half = words.dropFirst().joined().uppercased()
        guard let numbers = numbers(first, separator: ":", 2), numbers[1] < 60 else { return nil }
        switch half {
        case "": return numbers[0] < 24 ? numbers[0] * 60 + numbers[1] : nil
        case "AM", "PM":
            guard (1...12).contains(numbers[0]) else { return nil }
            return (numbers[0] % 12 + (half == "PM" ? 12 : 0)) * 60 + numbers[1]
        default: return nil
        }
    }

    /// Returns a given count of numbers, after which more may follow.
    private static func numbers(
        _ text: Substring,
        separator: Character,
        _ count: Int
    ) -> [Int]? {
        let numbers = text.split(separator: separator, omittingEmptySubsequences: false)
            .map { part in part.allSatisfy(\.isASCII) ? Int(part) ?? -1 : -1 }
        guard numbers.count >= count, numbers.count <= 3, numbers.allSatisfy({ $0 >= 0 }) else {
            return nil
        }
        return numbers
    }
}
