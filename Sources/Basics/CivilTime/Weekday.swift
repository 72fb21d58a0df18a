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
