/// By which means of transport a trip was made; the raw value is its name in JSON.
public enum TravelMode: String, CaseIterable, Sendable {
    /// By car, or by whatever else drives on roads of its own accord.
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
