import Projections
import TripEvents

/// A source that says nothing on a day on which it has always driven lately.
package struct SilentSource: Hashable, Sendable {
    /// Its name.
    package let name: String

    /// When it said something last.
    package let since: Timestamp

    /// How many weeks in a row it must have driven on a weekday to be missed on the next such day.
    fileprivate static let weeks = 3

    /// The longest silence that is looked at, in days.
    fileprivate static let mostDays = 31

    /// How long to wait after its latest usual start, in milliseconds.
    fileprivate static let patience: Int64 = 7_200_000
}

extension Snapshot {
    /// Returns the sources that are silent, judged by their own habits: in each of the last three
    /// weeks a trip had started on that weekday, at least two hours earlier in the day than now.
    ///
    /// - Parameter now: The present.
    /// - Returns: The sources, in order of their names' bytes.
    /// - Throws: `.damaged`, `.inputOutput`, `.unreadableInput`.
    package func silentSources(asOf now: Timestamp) throws(LedgerError) -> [SilentSource] {
        let clock = try requireClock()
        let today = clock.daysSince1970(of: EventTime(now))
        let first = CivilDate(
            daysSince1970: today - SilentSource.mostDays - 7 * SilentSource.weeks
        )
        var days: [NameKey: [Int: Timestamp]] = [:]
        for row in try trips(TripFilter(period: LocalPeriod(from: first, localDay: clock))) {
            let start = row.booked.trip.startedAt
            let key = NameKey(row.booked.trip.source)
            let day = clock.daysSince1970(of: start)
            let known = days[key]?[day]
            days[key, default: [:]][day] = known.map { min($0, start.timestamp) } ?? start.timestamp
        }
        return try status(asOf: now).sources
            .compactMap { source in
                let known = days[NameKey(source.name)] ?? [:]
                let last = clock.daysSince1970(of: EventTime(source.latestAt))
                guard last < today, today - last <= SilentSource.mostDays,
                    ((last + 1)...today).contains(where: { Self.isMissed($0, known, now) })
                else { return nil }
                return SilentSource(name: source.name, since: source.latestAt)
            }
    }

    /// Whether a source would have driven on a day by now.
    private static func isMissed(_ day: Int, _ known: [Int: Timestamp], _ now: Timestamp) -> Bool {
        let starts = (1...SilentSource.weeks)
            .map { week in
                known[day - 7 * week]?
                    .advanced(byMilliseconds: Int64(7 * week) * Timestamp.millisecondsPerDay)
            }
        guard !starts.contains(nil), let latest = starts.compactMap(\.self).max() else {
            return false
        }
        return latest.advanced(byMilliseconds: SilentSource.patience) <= now
    }
}
