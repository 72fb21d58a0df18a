import TripEvents

/// The days on which people in the Netherlands work, and the clocks that they work by.
enum DutchCalendar {
    /// The time zone, as it has been since 1996.
    static let zone: TimeZoneRules = {
        do {
            return try TimeZoneRules(
                name: "Europe/Amsterdam",
                posix: "CET-1CEST,M3.5.0,M10.5.0/3"
            )
        } catch {
            preconditionFailure("the rule of the zone is one: \(error)")
        }
    }()

    /// Returns whether a day is a public holiday on which offices are closed.
    static func isPublicHoliday(_ date: CivilDate) -> Bool {
        let fixed = (date.month, date.day)
        if fixed == (1, 1) || fixed == (12, 25) || fixed == (12, 26) { return true }
        // The King's birthday is kept on the day before if it falls on a Sunday.
        if fixed == (4, 27), date.weekday != .sunday { return true }
        if fixed == (4, 26), date.weekday == .saturday { return true }
        // Liberation is a day off work every five years.
        if fixed == (5, 5), date.year % 5 == 0 { return true }
        let days = date.daysSince1970 - easterSunday(of: date.year).daysSince1970
        // Easter, Ascension and Whitsun.
        return [0, 1, 39, 49, 50].contains(days)
    }

    /// Returns the day of Easter.
    ///
    /// Source: "A New York correspondent", Nature 13 (1876), page 487.
    static func easterSunday(of year: Int) -> CivilDate {
        let (golden, century, rest) = (year % 19, year / 100, year % 100)
        let correction = (century - (century + 8) / 25 + 1) / 3
        let epact = (19 * golden + century - century / 4 - correction + 15) % 30
        let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let late = (golden + 11 * epact + 22 * weekday) / 451
        let number = epact + weekday - 7 * late + 114
        guard let date = CivilDate(year: year, month: number / 31, day: number % 31 + 1) else {
            preconditionFailure("Easter is in March or April")
        }
        return date
    }
}

extension CivilDate {
    /// The number of its week, which begins on Monday, counted on without regard to years.
    var weekNumber: Int {
        (daysSince1970 + 3 - weekday.daysAfterMonday) / 7
    }
}

/// A local day: when it begins and how its clocks run.
struct DriverDate: Sendable {
    let date: CivilDate

    /// When it begins.
    let midnight: Timestamp

    /// How long it is, in seconds: an hour less or more when the clocks change.
    let seconds: Int

    /// The offset from UTC once the clocks have changed, if they do: from three o'clock on.
    let utcOffset: UTCOffset?

    private let changeSeconds: Int

    init(_ date: CivilDate) {
        self.date = date
        let utc = Timestamp(milliseconds: Int64(date.daysSince1970) * 86_400_000)
        // The clocks change at 01:00 UTC, after midnight in Amsterdam and before noon.
        let before = DutchCalendar.zone.offsetSeconds(
            at: utc.advanced(byMilliseconds: -3_600_000)
        )
        let noon = utc.advanced(byMilliseconds: 11 * 3_600_000)
        let after = DutchCalendar.zone.offsetSeconds(at: noon)
        midnight = utc.advanced(byMilliseconds: Int64(-before) * 1_000)
        changeSeconds = after - before
        seconds = 86_400 - changeSeconds
        utcOffset = DutchCalendar.zone.utcOffset(at: noon)
    }

    /// Returns the seconds after midnight at which the clocks show a time of day, from three
    /// o'clock on.
    func second(ofClock second: Int) -> Int {
        second - changeSeconds
    }
}
