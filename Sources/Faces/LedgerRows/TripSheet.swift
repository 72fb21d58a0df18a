package import Projections
package import Tables
package import TripEvents
import TripTracking

/// A list of trips for a spreadsheet: local dates and times in columns of their own, the plate of
/// the vehicle, a column for each custom field, and whether the trip counts: its status, with the
/// reason if there is one.
package struct TripSheet {
    /// The columns, in the order in which people read a logbook.
    package let columns: Columns<NamedTrip>

    /// Prepares the list.
    ///
    /// - Parameters:
    ///   - clock: Tells dates and times; `nil` for the offsets that the trips have.
    ///   - vehicles: Knows the plates.
    ///   - fields: The custom fields that were defined.
    package init(clock: LocalDay?, vehicles: VehicleBook, fields: FieldCatalogue) {
        let local = { @Sendable (time: EventTime) in time.told(by: clock) }
        columns = Columns {
            Column.day("date") { CivilDate(of: local($0.booked.trip.startedAt)) }
            Column.name("start") { Self.timeOfDay($0.booked.trip.startedAt, by: clock) }
            Column.day("end_date") { $0.booked.trip.endedAt.map { CivilDate(of: local($0)) } }
            Column.name("end") { named in
                named.booked.trip.endedAt.map { Self.timeOfDay($0, by: clock) }
            }
            Column.name("duration") { named in
                named.booked.durationMilliseconds.map { LocalTime.duration(milliseconds: $0) }
            }
            NamedTrip.columns.all.filter { ["from", "to"].contains($0.name) }
            Column.text("purpose") { $0.booked.details.purpose ?? $0.booked.details.title }
            Column.text("client") { $0.booked.details.client }
            Column.text("category") { $0.booked.details.category }
            Column.name("class") { $0.booked.tripClass.rawValue }
            Column.text("vehicle") { $0.booked.details.vehicle }
            Column.text("plate") { named in
                named.booked.details.vehicle
                    .flatMap {
                        vehicles.vehicle(named: $0, for: named.booked.trip.group)?.registration
                            .plate
                    }
            }
            Column.distance("distance_m") { $0.booked.claimedDistance }
            Column.distance("gap_distance_m") { $0.booked.trip.gaps.distance }
            Column.distance("unrecorded_before_m") { $0.unrecorded }
            Column.text("notes") { $0.booked.details.notes }
            for field in fields.definitions.map(\.key) {
                Column.value(field) { $0.booked.details.fields?[field] }
            }
            Column.list("flags") { $0.booked.flagNames }
            // A sum over the lines whose status is `completed` is that of the trips that count.
            Column.name("status") { $0.statusText }
            Column.text("source") { $0.booked.trip.source }
            Column.trip("trip") { $0.booked.id }.identifying
        }
    }

    /// Returns a time of day to the second, such as `08:30:05`, with its offset if the zone alone
    /// leaves the instant ambiguous.
    private static func timeOfDay(_ time: EventTime, by clock: LocalDay?) -> String {
        let local = time.told(by: clock)
        let full = RFC3339.text(local.timestamp, utcOffset: local.utcOffset)
        let seconds = full.dropFirst(11).prefix(8)
        guard let clock, clock.needsOffset(time) else { return String(seconds) }
        return "\(seconds) \(full.suffix(RFC3339.offsetByteCount))"
    }
}
