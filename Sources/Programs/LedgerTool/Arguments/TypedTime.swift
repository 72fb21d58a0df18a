import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// A time as people type it; its meaning can depend on the ledger's time zone and on the day.
enum TypedTime: ExpressibleByArgument {
    /// The forms that can be typed, for help texts.
    static let forms =
        "08:30, yesterday 17:05 or 2026-03-14 15:09 in the ledger's time zone, or 2026-03-14, "
        + "14.03.2026 or yesterday for the beginning of a day; with an offset, such as "
        + "2026-03-14T15:09:26+01:00; or milliseconds since 1970"

    /// The day of a time without a date.
    enum Day: Equatable {
        case today
        case yesterday
        case date(CivilDate)

        /// Reads `today`, `yesterday` or a date.
        init?(_ text: String) {
            switch text.lowercased() {
            case "today": self = .today
            case "yesterday": self = .yesterday
            default:
                guard let date = CivilDate(argument: text) else { return nil }
                self = .date(date)
            }
        }
    }

    /// An instant, in any zone.
    case instant(EventTime)

    /// A local time, as clocks show it.
    case clock(Day, millisecondOfDay: Int64)

    /// A whole day, which stands for its beginning or, as the end of a span, for its end.
    case day(Day)

    /// Reads one of ``forms``; seconds may be left out, and a space may stand for the T.
    init?(argument: String) {
        if let day = Day(argument) {
            self = .day(day)
            return
        }
        if let time = EventTime(argument: argument) ?? Self.shortTime(argument) {
            self = .instant(time)
            return
        }
        let words = argument.split { $0 == " " || $0 == "T" }.map(String.init)
        guard let clock = words.last, let millisecondOfDay = Self.millisecondOfDay(clock) else {
            return nil
        }
        guard words.count <= 2 else { return nil }
        guard let day = words.count == 1 ? .today : Day(words[0]) else { return nil }
        self = .clock(day, millisecondOfDay: millisecondOfDay)
    }

    /// Reads one of ``forms``.
    ///
    /// - Throws: `ValidationError` if the text is not one of them.
    static func read(_ text: String) throws -> TypedTime {
        if let time = TypedTime(argument: text) { return time }
        let advice = TypedDate.advice(onTime: text) ?? "Say \(forms)."
        throw ValidationError("\"\(Excerpt.escaped(text))\" is no day or time. \(advice)")
    }

    /// Reads a time with an offset and without seconds.
    private static func shortTime(_ text: String) -> EventTime? {
        // Positions in YYYY-MM-DDTHH:MM.
        let minute = text.prefix(16)
        guard minute.count == 16, minute.dropFirst(10).first == "T" else { return nil }
        return RFC3339.time("\(minute):00\(text.dropFirst(16))")
    }

    /// Reads a time of day as RFC 3339 does; seconds and the zero before an hour may be left out.
    private static func millisecondOfDay(_ clock: String) -> Int64? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        let zero = parts[0].count == 1 ? "0" : ""
        let time = RFC3339.time("1970-01-01T\(zero)\(clock)\(parts.count == 2 ? ":00" : "")Z")
        return time?.timestamp.milliseconds
    }

    /// Returns the time that is meant.
    ///
    /// - Throws: `ValidationError` if clocks were changed so that the time does not exist, or
    ///   exists twice; `LedgerError.unreadableInput` if this machine does not know the ledger's
    ///   time zone.
    func time(in ledger: Ledger) throws -> EventTime {
        switch self {
        case .instant(let time): return time
        case .clock(let day, let millisecondOfDay):
            let zone = try ledger.requireClock().zone
            let date = Self.date(of: day, in: zone)
            guard let moment = CivilMoment(date, millisecondOfDay: millisecondOfDay) else {
                throw ValidationError("There is no such time of day.")
            }
            return try Self.time(of: moment, in: zone)
        case .day(let day):
            let zone = try ledger.requireClock().zone
            return Self.beginning(of: Self.date(of: day, in: zone), in: zone)
        }
    }

    /// Whether it is a whole day.
    var isDay: Bool {
        if case .day = self { true } else { false }
    }

    /// Whether it is a time of day without an offset from UTC.
    var isLocal: Bool {
        if case .clock = self { true } else { false }
    }

    /// Returns the first instant after the typed time, for the end of a span: for a day, the
    /// beginning of the next one.
    ///
    /// - Throws: As ``time(in:)``.
    func end(in ledger: Ledger) throws -> EventTime {
        guard case .day(let day) = self else { return try time(in: ledger) }
        let zone = try ledger.requireClock().zone
        let date = Self.date(of: day, in: zone)
        let next = CivilDate(daysSince1970: date.daysSince1970 + 1)
        return Self.beginning(of: next, in: zone)
    }

    /// Returns when a local day begins: at midnight or, if clocks skipped midnight, at the first
    /// instant of the day.
    private static func beginning(of date: CivilDate, in zone: TimeZoneRules) -> EventTime {
        let midnight = Timestamp(
            milliseconds: Int64(date.daysSince1970) * Timestamp.millisecondsPerDay
        )
        if let moment = CivilMoment(date, millisecondOfDay: 0),
            let first = moment.times(in: zone).first
        {
            return first
        }
        // Midnight is missing: computed with the offset before, it is the instant of the change.
        let day = Timestamp.millisecondsPerDay
        let offset = zone.offsetSeconds(at: midnight.advanced(byMilliseconds: -day))
        let instant = midnight.advanced(byMilliseconds: -Int64(offset) * 1_000)
        return EventTime(instant, utcOffset: zone.utcOffset(at: instant))
    }

    private static func time(of moment: CivilMoment, in zone: TimeZoneRules) throws -> EventTime {
        let times = moment.times(in: zone)
        guard let time = times.first, times.count == 1 else {
            let texts = times.map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
            throw ValidationError(
                times.isEmpty
                    ? "That time is missing on \(moment.date): clocks were put forward over it in "
                        + "\(zone.words). Say it with an offset from UTC."
                    : "That time was there twice on \(moment.date), for clocks were put back in "
                        + "\(zone.words): say \(texts.joined(separator: " or "))."
            )
        }
        return time
    }

    private static func date(of day: Day, in zone: TimeZoneRules) -> CivilDate {
        let localDay = LocalDay(zone: zone, usesOwnOffsets: false)
        let today = localDay.day(of: EventTime(WallClock.now))
        return switch day {
        case .today: today
        case .yesterday: CivilDate(daysSince1970: today.daysSince1970 - 1)
        case .date(let date): date
        }
    }
}

/// Days as people type them: one, a word for one, a month or a year.
struct TypedDays: ExpressibleByArgument {
    private enum Content {
        case days(AskedDays)
        case word(DayWord)
    }

    private let content: Content

    init?(argument: String) {
        if let word = DayWord(rawValue: argument.lowercased()) {
            content = .word(word)
        } else if let days = TypedDate(argument)?.days {
            content = .days(days)
        } else {
            return nil
        }
    }

    /// Returns the days that are meant when they are typed on a day.
    func days(on today: CivilDate) -> AskedDays {
        switch content {
        case .days(let days): days
        case .word(let word): AskedDays(word.day(on: today))
        }
    }

    /// Puts them into a request, words as they were typed.
    func say(_ parameter: ReportParameter, in request: inout ReportRequest) {
        switch content {
        case .days(let days): request[parameter] = .text(days.text)
        case .word(let word): request[parameter] = .text(word.rawValue)
        }
    }
}

/// A day as people type it: `2026-03-14`, `14.03.2026`, `today` or `yesterday`.
struct TypedDay: ExpressibleByArgument {
    private let days: TypedDays

    init?(argument: String) {
        guard let days = TypedDays(argument: argument) else { return nil }
        let some = days.days(on: CivilDate(daysSince1970: 0))
        guard some.first == some.last else { return nil }
        self.days = days
    }

    /// Returns the day that is meant when it is typed on a day.
    func day(on today: CivilDate) -> CivilDate { days.days(on: today).first }

    /// Puts it into a request, words as they were typed.
    func say(_ parameter: ReportParameter, in request: inout ReportRequest) {
        days.say(parameter, in: &request)
    }
}

/// A month as people type it: `2026-03`, `2026-3`, `03.2026`, `this` or `last`.
struct TypedMonth: ExpressibleByArgument {
    private enum Content {
        case month(AskedDays)
        case word(MonthWord)
    }

    private let content: Content

    init?(argument: String) {
        if let word = MonthWord(rawValue: argument.lowercased()) {
            content = .word(word)
        } else if let days = TypedDate(argument)?.days, days.isMonth {
            content = .month(days)
        } else {
            return nil
        }
    }

    /// Returns the month that is meant when it is typed on a day.
    func days(on today: CivilDate) -> AskedDays {
        switch content {
        case .month(let days): days
        case .word(let word): word.month(on: today)
        }
    }

    /// Puts it into a request, words as they were typed.
    func say(_ parameter: ReportParameter, in request: inout ReportRequest) {
        switch content {
        case .month(let days): request[parameter] = .text(days.text)
        case .word(let word): request[parameter] = .text(word.rawValue)
        }
    }
}
