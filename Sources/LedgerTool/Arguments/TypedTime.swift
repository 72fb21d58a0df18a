import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// A time as people type it: what it means can depend on the ledger's time zone and on the day.
enum TypedTime: ExpressibleByArgument {
    /// What can be typed, for help texts.
    static let forms =
        "08:30, yesterday 17:05 or 2026-03-14T15:09 in the ledger's time zone; with an offset, "
        + "such as 2026-03-14T15:09:26+01:00; or milliseconds since 1970"

    /// The day of a time without a date.
    enum Day: Equatable {
        case today
        case yesterday
        case date(CivilDate)
    }

    /// An instant, whatever the zone.
    case instant(EventTime)

    /// What clocks show.
    case clock(Day, millisecondOfDay: Int64)

    /// Reads one of ``forms``; seconds may be left out, and a space may stand for the T.
    init?(argument: String) {
        if let time = EventTime(argument: argument) ?? Self.shortTime(argument) {
            self = .instant(time)
            return
        }
        let words = argument.split { $0 == " " || $0 == "T" }.map(String.init)
        guard let clock = words.last, let millisecondOfDay = Self.millisecondOfDay(clock) else {
            return nil
        }
        switch words.dropLast() {
        case [], ["today"]: self = .clock(.today, millisecondOfDay: millisecondOfDay)
        case ["yesterday"]: self = .clock(.yesterday, millisecondOfDay: millisecondOfDay)
        default:
            guard words.count == 2, let date = CivilDate(words[0]) else { return nil }
            self = .clock(.date(date), millisecondOfDay: millisecondOfDay)
        }
    }

    /// Reads when something begins: one of ``forms``, or a day, which begins at midnight.
    ///
    /// - Throws: `ValidationError` if it is neither.
    static func beginning(_ text: String) throws -> TypedTime {
        if let day = CivilDate(text) { return .clock(.date(day), millisecondOfDay: 0) }
        if let time = TypedTime(argument: text) { return time }
        throw ValidationError(
            "\"\(Excerpt.escaped(text))\" is no day or time: say 2026-03-14, or \(forms)."
        )
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
    /// - Throws: `ValidationError` if clocks were changed so that it is none, or two;
    ///   `LedgerError.unreadableInput` if this machine does not know the ledger's time zone.
    func time(in ledger: Ledger) throws -> EventTime {
        switch self {
        case .instant(let time): return time
        case .clock(let day, let millisecondOfDay):
            let zone = try TimeZoneRules.ofMachine(named: ledger.founding.timeZone)
            let date = Self.date(of: day, in: zone)
            guard let moment = CivilMoment(date, millisecondOfDay: millisecondOfDay) else {
                throw ValidationError("There is no such time of day.")
            }
            return try Self.time(of: moment, in: zone)
        }
    }

    private static func time(of moment: CivilMoment, in zone: TimeZoneRules) throws -> EventTime {
        let times = moment.times(in: zone)
        guard let time = times.first, times.count == 1 else {
            let texts = times.map { RFC3339.text($0.timestamp, utcOffset: $0.utcOffset) }
            throw ValidationError(
                times.isEmpty
                    ? "That time is missing on \(moment.date): clocks were put forward over it in "
                        + "\(zone.name). Say it with an offset from UTC."
                    : "That time was there twice on \(moment.date), for clocks were put back in "
                        + "\(zone.name): say \(texts.joined(separator: " or "))."
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
