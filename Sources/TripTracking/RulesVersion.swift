/// The published versions of the tracking rules; the raw value is the name shown with a trip.
public enum RulesVersion: String, CaseIterable, Sendable {
    case v1
}
