/// What a vehicle burns, for rates that pay its fuel; the raw value is its name in JSON.
public enum Fuel: String, CaseIterable, Sendable {
    case petrol
    case diesel
    case lpg
    case cng
    case electric
    case hybrid
    case hydrogen
    case other
}
