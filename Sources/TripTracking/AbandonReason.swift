/// Why something that began as a trip is none; the raw value is its name in JSON.
public enum AbandonReason: String, CaseIterable, Sendable {
    /// No fix said where it was.
    case noPosition = "no_position"

    /// Nobody pressed GO, and it did not get anywhere.
    case falseStart = "false_start"

    /// Its recorder died, and the driver did not want what there was of it.
    case discarded
}
