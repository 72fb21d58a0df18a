import ArgumentParser
import TripEvents
import TripLedger

/// A day as people type it: `2026-03-14`, `today` or `yesterday`.
struct TypedDay: ExpressibleByArgument {
    private let text: String

    init?(argument: String) {
        guard CivilDate(argument) != nil || DayWord(rawValue: argument) != nil else { return nil }
        text = argument
    }

    /// Returns the day that is meant where it is said on a day.
    func days(on today: CivilDate) -> AskedDays? {
        (DayWord(rawValue: text)?.day(on: today) ?? CivilDate(text)).map { AskedDays($0) }
    }

    /// Says it in a request, as it was typed.
    func say(_ parameter: ReportParameter, in request: inout ReportRequest) {
        request[parameter] = .text(text)
    }
}

/// A month as people type it: `2026-03`, `this` or `last`.
struct TypedMonth: ExpressibleByArgument {
    private let text: String

    init?(argument: String) {
        guard AskedDays(argument)?.isMonth ?? false || MonthWord(rawValue: argument) != nil else {
            return nil
        }
        text = argument
    }

    /// Returns the month that is meant where it is said on a day.
    func days(on today: CivilDate) -> AskedDays? {
        MonthWord(rawValue: text)?.month(on: today) ?? AskedDays(text)
    }

    /// Says it in a request, as it was typed.
    func say(_ parameter: ReportParameter, in request: inout ReportRequest) {
        request[parameter] = .text(text)
    }
}
