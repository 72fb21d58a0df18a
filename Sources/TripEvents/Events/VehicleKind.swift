/// What kind of vehicle it is, as rates per distance tell them apart; the raw value is its name in
/// JSON.
public enum VehicleKind: String, CaseIterable, Sendable {
    /// A car, whatever drives it.
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
