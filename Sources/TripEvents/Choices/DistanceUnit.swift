/// A unit in which an odometer or a report counts.
public enum DistanceUnit: String, CaseIterable, Sendable {
    case kilometers = "km"
    case miles = "mi"
}
