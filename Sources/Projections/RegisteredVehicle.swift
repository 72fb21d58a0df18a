public import TripEvents

/// A vehicle as it was registered last.
public struct RegisteredVehicle: Hashable, Sendable {
    /// What was said of it.
    public let registration: VehicleRegistered

    /// When.
    public let registeredAt: EventTime

    /// The name that other events call it by.
    public var name: String { registration.vehicle }
}
