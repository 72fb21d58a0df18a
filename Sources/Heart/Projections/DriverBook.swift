import TripEvents
import TripTracking

/// Who drove trips: as the trip itself says it or a press did, else as its vehicle is registered,
/// else as the settings say it of its source.
public struct DriverBook: Hashable, Sendable {
    private let vehicles: VehicleBook
    private let settings: SettingsBook?

    /// Creates the book; without arguments it knows what trips say alone.
    public init(vehicles: VehicleBook = VehicleBook(), settings: SettingsBook? = nil) {
        self.vehicles = vehicles
        self.settings = settings?.namesDrivers == true ? settings : nil
    }

    /// Returns who drove a trip; `nil` if nothing says it.
    public func driver(of booked: BookedTrip) -> String? {
        if let said = booked.details.driver { return said }
        let trip = booked.trip
        let registered = booked.details.vehicle
            .flatMap { vehicles.vehicle(named: $0, for: trip.group)?.registration.driver }
        return registered
            ?? settings?.driver(ofSource: trip.source, at: trip.startedAt.timestamp)
    }
}
