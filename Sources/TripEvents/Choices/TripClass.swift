/// What a trip is in the eyes of the tax office.
public enum TripClass: String, CaseIterable, Sendable {
    case business
    case commute
    case personal
    case medical
    case charity
    case moving
    case mixed
    case unclassified
}
