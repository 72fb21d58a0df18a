/// Where a trip stands; the raw value is its name in JSON.
public enum TripStatus: String, CaseIterable, Sendable {
    /// It has started and not ended.
    case active

    /// It has ended.
    case completed

    /// It has ended without being a trip; see ``AbandonReason``.
    case abandoned
}
