/// The kind of a vehicle, as rates per distance distinguish them; the raw value is its name in
/// JSON.
public enum VehicleKind: String, CaseIterable, Sendable {
    /// A car with any kind of engine.
    case car

    /// A van or another goods vehicle.
    case van

    /// A motorcycle.
    case motorcycle

    /// A moped or a light scooter.
    case moped

    /// A bicycle, with or without help of a motor.
    case bicycle

    /// Any other vehicle.
    case other
}
