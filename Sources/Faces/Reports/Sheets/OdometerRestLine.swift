import Projections
import Tables
import TripEvents

/// The line of a mileage log for the distance on an odometer that no trip recorded:
/// `mileage-log.v1.schema.json`.
///
/// Its columns are those of trips. Its distance is not a trip's, and is in no column that is added
/// up.
struct OdometerRestLine: Tabular {
    private let rest: OdometerRest
    private let localDay: LocalDay
    private let hidesTimes: Bool

    /// Joins the distance that no trip recorded, the clock of the log, and whether the ends of
    /// private trips are left out: the distance may lie between two of them.
    init(_ rest: OdometerRest, by localDay: LocalDay, hidingTimes hidesTimes: Bool) {
        self.rest = rest
        self.localDay = localDay
        self.hidesTimes = hidesTimes
    }

    private var from: EventTime { localDay.local(rest.startedAt) }
    private var to: EventTime { localDay.local(EventTime(rest.to)) }
    private var day: CivilDate { localDay.day(of: from) }
    private var lastDay: CivilDate { localDay.day(of: to) }

    /// The columns of JSON.
    static let columns = Columns<OdometerRestLine> {
        Column.name("kind") { _ in "rest" }
        Column.day("date") { $0.day }
        Column.time("started_at") { $0.hidesTimes ? nil : $0.from }
        Column.time("ended_at") { $0.hidesTimes ? nil : $0.to }
        Column.text("vehicle") { $0.rest.vehicle }
        Column.distance("odometer_start_m") { $0.rest.odometer }
        Column.distance("odometer_end_m") { $0.rest.odometerAfter }
        Column.distance("odometer_before_m") { $0.rest.distance }
    }

    /// What people see of it, by the names of columns.
    var cells: [String: Cell] {
        var cells: [String: Cell] = [
            "date": .day(day),
            // A day in the column of ends would make it wide on every page.
            "purpose": .phrase(
                lastDay == day ? .recordedOnNoTrip : .recordedOnNoTrip(until: lastDay)
            ),
            "vehicle": .text(rest.vehicle),
            "odometer_start_m": .distance(rest.odometer),
            "odometer_end_m": .distance(rest.odometerAfter),
            "odometer_before_m": .distance(rest.distance),
        ]
        guard !hidesTimes else { return cells }
        cells["started_at"] = .minute(from, on: CivilDate(of: from))
        if lastDay == day { cells["ended_at"] = .minute(to, on: day) }
        return cells
    }
}
