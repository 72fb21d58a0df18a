/// The means of transport of a trip; the raw value is its name in JSON.
public enum TravelMode: String, CaseIterable, Sendable {
    /// By car, or by another motor vehicle on roads.
    case car

    /// By bus.
    case bus

    /// By train, tram or underground.
    case rail

    /// By bicycle.
    case bicycle

    /// Walking or running.
    case foot

    /// The evidence allows more than one answer.
    case unsure
}
