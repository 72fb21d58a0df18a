import Projections
import Rates
import TripEvents
import TripTracking

/// Days whose figures the change of a setting may alter.
enum SettingReach: Hashable, Sendable {
    /// All days.
    case everything

    /// The day on which something was paid.
    case day(CivilDate)

    /// The day of a time, or that of the trip that was under way then.
    case time(EventTime)

    /// The days from one instant to another.
    case instants(ClosedRange<Timestamp>)

    /// The days from one on.
    case since(CivilDate)
}

/// Finds the days whose figures each change of a setting may alter.
struct SettingReaches {
    /// The odometer of a vehicle, as a group reads it.
    private struct Odometer: Hashable {
        let vehicle: NameKey
        let group: NameKey?

        init(of reading: OdometerRead, in group: String?) {
            vehicle = NameKey(reading.vehicle)
            self.group = group.map { NameKey($0) }
        }
    }

    /// The times that a clock shift corrects, and the same together with the corrected times.
    private struct Shift {
        let wrong: ClosedRange<Timestamp>
        let all: ClosedRange<Timestamp>

        init(_ shift: ClockShifted) {
            let by = shift.byMilliseconds ?? 0
            let (from, to) = (shift.from.timestamp, shift.to.timestamp)
            wrong = min(from, to)...max(from, to)
            let (first, last) = (wrong.lowerBound, wrong.upperBound)
            let shifted = first.advanced(byMilliseconds: by)...last.advanced(byMilliseconds: by)
            all = min(first, shifted.lowerBound)...max(last, shifted.upperBound)
        }
    }

    /// When each expense was paid, as the first report of it says.
    private var paidAt: [ExpenseID: EventTime] = [:]

    /// The times between the readings before and after each one.
    private var spans: [Odometer: [Timestamp: ClosedRange<Timestamp>]] = [:]

    /// The days on which each expense counts, as it was said last.
    private var expenses: [ExpenseID: [SettingReach]] = [:]

    /// The rows of each table of rates, as it was loaded last.
    private var rates: [NameKey: Set<RateRow>] = [:]

    /// The shifts of the clock of each source.
    private var shifts: [NameKey: [Shift]] = [:]

    /// Begins with all events about settings, in any order.
    init(of events: [StoredEvent]) {
        var readAt: [Odometer: Set<Timestamp>] = [:]
        for stored in events {
            switch stored.event.body {
            case .expenseRecorded(let expense) where expense.corrects == nil:
                paidAt[ExpenseID(recordedBy: stored.identity)] = Self.time(of: stored)
            case .odometerRead(let reading):
                let odometer = Odometer(of: reading, in: stored.event.group)
                readAt[odometer, default: []].insert(Self.time(of: reading, stored))
            default: break
            }
        }
        for (odometer, times) in readAt {
            let times = times.sorted()
            for (index, time) in times.enumerated() {
                let before = index == 0 ? Timestamp(milliseconds: .min) : times[index - 1]
                let isLast = index == times.count - 1
                let after = isLast ? Timestamp(milliseconds: .max) : times[index + 1]
                spans[odometer, default: [:]][time] = before...after
            }
        }
    }

    private static func time(of stored: StoredEvent) -> EventTime {
        EventTime(stored.event.occurredAt, utcOffset: stored.event.utcOffset)
    }

    private static func time(of reading: OdometerRead, _ stored: StoredEvent) -> Timestamp {
        reading.corrects?.timestamp ?? stored.event.occurredAt
    }

    /// Returns the days that the next event in event order may alter, and the time from which the
    /// days until it was stored are counted, if it is about a reading or an expense.
    ///
    /// - Parameters:
    ///   - stored: The event.
    ///   - trip: The trip that an expense names; `nil` if it is not there.
    /// - Returns: The days, and the time.
    mutating func next(
        _ stored: StoredEvent,
        on trip: BookedTrip?
    ) -> (reaches: [SettingReach], happenedAt: Timestamp?) {
        switch stored.event.body {
        case .expenseRecorded(let expense):
            let id = expense.corrects ?? ExpenseID(recordedBy: stored.identity)
            let paidAt = self.paidAt[id] ?? Self.time(of: stored)
            let startedAt = trip?.trip.startedAt ?? expense.tripStartedAt
            var now: [SettingReach] = [
                expense.day.map { SettingReach.day($0) } ?? .time(paidAt)
            ]
            if let startedAt { now.append(.time(startedAt)) }
            let before = expenses.updateValue(now, forKey: id) ?? []
            let end = trip?.trip.endedAt?.timestamp ?? expense.day.map { Self.end(of: $0) }
            return (before + now, end ?? paidAt.timestamp)
        case .odometerRead(let reading):
            let time = Self.time(of: reading, stored)
            let span = spans[Odometer(of: reading, in: stored.event.group)]?[time] ?? time...time
            return ([.instants(span)], time)
        case .ratesLoaded(let loaded): return ([reach(of: loaded)].compactMap { $0 }, nil)
        case .clockShifted(let shifted):
            let shift = Shift(shifted)
            let name = NameKey(shifted.appliesTo)
            // It may take back another shift, and with it the times that the other one had
            // corrected.
            let before = shifts[name, default: []].filter { $0.wrong.overlaps(shift.wrong) }
            shifts[name, default: []].append(shift)
            return ((before + [shift]).map { SettingReach.instants($0.all) }, nil)
        default: return ([.everything], nil)
        }
    }

    /// Returns the days for which a table has other rates than the last one of its name.
    ///
    /// It returns `nil` if neither has any: no rate comes from a table that cannot be read.
    private mutating func reach(of loaded: RatesLoaded) -> SettingReach? {
        let now = Set((try? RateTable(loaded))?.rows ?? [])
        let before = rates.updateValue(now, forKey: NameKey(loaded.table)) ?? []
        let changed = before.symmetricDifference(now)
        return (changed.isEmpty ? now : changed).map(\.from).min().map { SettingReach.since($0) }
    }

    /// Returns when a day has ended in UTC.
    private static func end(of day: CivilDate) -> Timestamp {
        Timestamp(milliseconds: Int64(day.daysSince1970 + 1) * Timestamp.millisecondsPerDay)
    }
}
