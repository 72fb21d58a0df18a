/// Why something that began as a trip is none; the raw value is its name in JSON.
public enum AbandonReason: String, CaseIterable, Sendable {
    /// No fix said where it was.
    case noPosition = "no_position"
}
