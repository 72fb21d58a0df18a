import ArgumentParser
import TripEvents

/// Days as people type them: one day, a month, or a year.
struct TypedDays: ExpressibleByArgument {
    /// The first of them.
    let first: CivilDate

    /// The last of them.
    let last: CivilDate

    /// Reads `2026-03-14`, `2026-03` or `2026`.
    init?(argument: String) {
        if let day = CivilDate(argument) {
            self.init(from: day, to: day)
        } else if let january = CivilDate(argument + "-01-01") {
            self.init(from: january, to: Self.lastDay(ofMonth: 12, of: january.year))
        } else if let day = CivilDate(argument + "-01") {
            self.init(from: day, to: Self.lastDay(ofMonth: day.month, of: day.year))
        } else {
            return nil
        }
    }

    private init?(from first: CivilDate, to last: CivilDate?) {
        guard let last else { return nil }
        self.first = first
        self.last = last
    }

    private static func lastDay(ofMonth month: Int, of year: Int) -> CivilDate? {
        (28...31).reversed().lazy.compactMap { CivilDate(year: year, month: month, day: $0) }.first
    }
}
