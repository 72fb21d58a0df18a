import Geodesy
import Projections
import Rates
import TripEvents

extension Snapshot {
    /// The days after which people are reminded of a trip that lacks its class or purpose: two are
    /// left of the seven that Germany's offices allow.
    private static let daysUntilReminder = Int(LogJurisdiction.daysForEntries) - 2

    /// The days for which people are reminded of something after it happened.
    private static let daysOfReminders = 31

    /// The least distance, seen by an odometer alone, of which people are reminded.
    private static let leastUnseen = Distance(millimeters: 1_000_000)

    /// Returns what a person is to do about trips, odometers and rates.
    ///
    /// - Parameter now: The present.
    /// - Returns: A notification for each, which holds until that is done.
    /// - Throws: `.damaged`, `.inputOutput`, `.unreadableInput`.
    package func reminders(asOf now: Timestamp) throws(LedgerError) -> [LedgerNotification] {
        let clock = try requireClock()
        let today = clock.day(of: EventTime(now))
        let vehicles = try vehicles()
        return try waitingTrips(on: today, clock, now)
            + unseenDrives(vehicles, on: today, clock, now)
            + dueReadings(vehicles, clock, now) + endingRates(on: today, now) + silences(asOf: now)
    }

    private func reminder(
        _ kind: LedgerNotification.Kind,
        since at: EventTime,
        _ now: Timestamp,
        _ reminder: LedgerNotification.Reminder
    ) -> LedgerNotification {
        LedgerNotification(
            reminding: kind,
            since: at,
            foundAt: now,
            .reminder(reminder),
            position: head.size
        )
    }

    private func silences(asOf now: Timestamp) throws(LedgerError) -> [LedgerNotification] {
        try silentSources(asOf: now)
            .map { source in
                let look = LedgerNotification.Reminder(
                    about: source.name,
                    command: "ledger status --source \(ShellWord.quoted(source.name))"
                )
                return reminder(.sourceSilent, since: EventTime(source.since), now, look)
            }
    }

    private func waitingTrips(
        on today: CivilDate,
        _ clock: LocalDay,
        _ now: Timestamp
    ) throws(LedgerError) -> [LedgerNotification] {
        let day = today.daysSince1970
        var filter = TripFilter(
            period: LocalPeriod(
                from: CivilDate(daysSince1970: day - Self.daysOfReminders),
                to: CivilDate(daysSince1970: day - Self.daysUntilReminder),
                localDay: clock
            ),
            isOldestFirst: true
        )
        filter.waitsForDetails = true
        return try trips(filter)
            .compactMap { row in
                guard let end = row.booked.trip.endedAt else { return nil }
                return LedgerNotification(
                    reminding: .purposeWaiting,
                    since: end,
                    foundAt: now,
                    .trip(row.booked),
                    position: head.size
                )
            }
    }

    /// Returns the distances that odometers showed lately and that no trip explains.
    ///
    /// One part in twenty is left out: odometers and fixes differ by as much.
    private func unseenDrives(
        _ book: VehicleBook,
        on today: CivilDate,
        _ clock: LocalDay,
        _ now: Timestamp
    ) throws(LedgerError) -> [LedgerNotification] {
        guard book.hasReadings else { return [] }
        let first = today.daysSince1970 - Self.daysOfReminders
        let booked = try trips().map(\.booked)
        return book.names.flatMap { name in
            OdometerComparison.list(book.readings(of: name), of: name, with: booked)
                .compactMap { compared in
                    let at = compared.reading.readAt
                    guard clock.daysSince1970(of: at) >= first, at.timestamp <= now,
                        let rest = compared.rest, let difference = compared.difference,
                        rest >= Self.leastUnseen,
                        rest.millimeters >= difference.millimeters / 20
                    else { return nil }
                    let seen = LedgerNotification.Reminder(
                        about: name,
                        distance: rest,
                        command: "ledger odometer \(ShellWord.quoted(name)) --list"
                    )
                    return reminder(.odometerOnly, since: at, now, seen)
                }
        }
    }

    /// Returns the vehicles whose odometers are to be read again: after two months in the
    /// Netherlands, elsewhere after a year.
    private func dueReadings(
        _ book: VehicleBook,
        _ clock: LocalDay,
        _ now: Timestamp
    ) -> [LedgerNotification] {
        let months = settings.country(at: now) == LogJurisdiction.nl.rawValue ? 2 : 12
        return book.names.compactMap { name in
            guard let last = book.readings(of: name).last?.readAt,
                let due = Self.time(months, after: last, clock), due.timestamp <= now
            else { return nil }
            let read = LedgerNotification.Reminder(
                about: name,
                command: "ledger odometer \(ShellWord.quoted(name)) READING"
            )
            return reminder(.readingDue, since: due, now, read)
        }
    }

    /// Returns a time some months later, on the same day of the month or the last one before it.
    private static func time(_ months: Int, after time: EventTime, _ clock: LocalDay) -> EventTime?
    {
        let day = clock.day(of: time)
        let month = day.month - 1 + months
        let later = (0...3).lazy
            .compactMap { less in
                CivilDate(year: day.year + month / 12, month: month % 12 + 1, day: day.day - less)
            }
            .first
        return later.map { later in
            let days = Int64(later.daysSince1970 - day.daysSince1970)
            let milliseconds = days * Timestamp.millisecondsPerDay
            return EventTime(
                time.timestamp.advanced(byMilliseconds: milliseconds),
                utcOffset: time.utcOffset
            )
        }
    }

    /// Returns the tables with rates of the ledger's country that end within a month, or ended in
    /// the last year, and after which no other row goes on.
    private func endingRates(
        on today: CivilDate,
        _ now: Timestamp
    ) throws(LedgerError) -> [LedgerNotification] {
        guard let country = settings.country(at: now) else { return [] }
        let day = today.daysSince1970
        let stretches = RateBook(try rates().tables)
            .stretches(in: country, scheme: nil, region: nil)
        func isContinued(_ stretch: RateStretch, after last: CivilDate) -> Bool {
            stretches.contains { other in
                other.row.scheme == stretch.row.scheme && other.row.shape == stretch.row.shape
                    && !Set(other.row.classes).isDisjoint(with: stretch.row.classes)
                    && (other.to.map { $0 > last } ?? true)
            }
        }
        var told: Set<String> = []
        return stretches.compactMap { stretch in
            guard let last = stretch.to,
                (day - 366...day + Self.daysOfReminders).contains(last.daysSince1970),
                !isContinued(stretch, after: last),
                told.insert("\(last) \(stretch.table)").inserted
            else { return nil }
            let end = LedgerNotification.Reminder(
                about: stretch.table,
                lastDay: last,
                command: "ledger rates load FILE"
            )
            let at = Timestamp(milliseconds: 0)
                .advanced(
                    byMilliseconds: Int64(last.daysSince1970) * Timestamp.millisecondsPerDay
                )
            return reminder(.ratesEnd, since: EventTime(at), now, end)
        }
    }
}
