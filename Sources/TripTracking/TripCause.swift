/// What started or ended a trip; the raw value is its name in JSON.
public enum TripCause: String, CaseIterable, Sendable {
    /// The driver pressed GO or STOP.
    case press

    /// A person reported the trip as a whole, without a recorder.
    case report
}
