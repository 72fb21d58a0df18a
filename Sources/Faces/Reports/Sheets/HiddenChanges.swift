import Projections
import TripEvents
import TripLedger

/// The parts of private trips, and of the settings that concern them, that a list of changes leaves
/// out.
struct HiddenChanges {
    private let trips: HiddenTrips
    private let localDay: LocalDay

    /// The expenses of private trips, and those that were paid on one.
    private var expenses: Set<ExpenseID> = []

    /// The settings that are routines of private trips.
    private var routines: Set<AuditLine.Setting> = []

    /// The names of the places where trips that are not private began or ended, as bytes: names
    /// that only look the same are different.
    private var shownPlaces: Set<[UInt8]> = []

    /// Collects the private trips and everything that belongs to them.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    init(_ snapshot: borrowing Snapshot, _ localDay: LocalDay) throws {
        self.localDay = localDay
        let places = try snapshot.places()
        var shownPlaces: Set<[UInt8]> = []
        let trips = try HiddenTrips(snapshot) { booked in
            for place in [places.start(of: booked), places.end(of: booked)] {
                if let place { shownPlaces.insert(Array(place.name.utf8)) }
            }
        }
        self.trips = trips
        self.shownPlaces = shownPlaces
        let book = try snapshot.expenses()
        for recorded in book.expenses + book.voided where trips.contains(recorded) {
            expenses.insert(recorded.id)
        }
        for line in try snapshot.settingChanges() {
            guard let setting = line.setting else { continue }
            let values = [line.change.old, line.change.new]
            switch setting {
            case .routine:
                if line.change.field == "class",
                    values.contains(.text(TripClass.personal.rawValue))
                {
                    routines.insert(setting)
                }
            case .expense(let expense):
                // An expense that now names another trip would reveal the private trip that it
                // belonged to.
                if line.change.field == "trip", values.contains(where: isHidden(trip:)) {
                    expenses.insert(expense)
                }
            default: break
            }
        }
    }

    private func isHidden(trip value: CustomValue?) -> Bool {
        guard case .text(let text)? = value, let trip = TripID(text) else { return false }
        return trips.contains(trip)
    }

    /// Returns a line without anything that reveals where, when or for what a private trip was.
    func masked(_ line: AuditLine) -> Masked<AuditLine> {
        guard let setting = line.setting else {
            guard let trip = line.trip, trips.contains(trip) else { return Masked(line) }
            return masked(line, showing: HiddenTrips.shownFields)
        }
        switch setting {
        case .routine:
            guard routines.contains(setting) else { return Masked(line) }
            return masked(line.withoutName(), showing: ["class"])
        case .expense(let expense):
            guard expenses.contains(expense) else { return Masked(line) }
            return masked(line, showing: HiddenTrips.shownExpenseFields)
        case .place(let name):
            guard !shownPlaces.contains(Array((name ?? "").utf8)) else { return Masked(line) }
            return masked(line.withoutName(), showing: [])
        case .log:
            // The erased entries are gone, so the subject of the words is no longer known.
            return masked(line, showing: [line.change.field])
        case .odometer: return maskedReading(line)
        case .vehicle, .field, .rules, .rates, .settings, .clock: return Masked(line)
        }
    }

    /// Returns the line of a reading without its time, if it was read on a private trip.
    private func maskedReading(_ line: AuditLine) -> Masked<AuditLine> {
        let isOnTrip = trips.areUnderWay(at: line.occurredAt.timestamp)
        var masked = isOnTrip ? masked(line, showing: [line.change.field]) : Masked(line)
        if line.change.field == "corrects" {
            for value in [line.change.old, line.change.new] {
                guard case .text(let text)? = value, let time = RFC3339.time(text),
                    trips.areUnderWay(at: time.timestamp)
                else { continue }
                masked.leaveOut("old", "new")
            }
        }
        return masked
    }

    private func masked(_ line: AuditLine, showing fields: Set<String>) -> Masked<AuditLine> {
        var masked = Masked(line)
        masked.leaveOut("why")
        if !fields.contains(line.change.field) { masked.leaveOut("old", "new") }
        let stored = EventTime(line.recordedAt)
        masked.leaveOut("occurred_at", on: localDay.day(of: localDay.local(line.occurredAt)))
        masked.leaveOut("recorded_at", on: localDay.day(of: localDay.local(stored)))
        return masked
    }
}
