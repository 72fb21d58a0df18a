/// What a tracker is doing; the raw value is its name in JSON.
///
/// Ending a trip takes no time, so that the phase "stopping" is never seen from outside.
public enum TrackerPhase: String, CaseIterable, Sendable {
    /// No trip is open.
    case idle

    /// A trip is open and has no stable position yet.
    case arming

    /// A trip is open and being measured.
    case tracking

    /// A trip is open and has had no kept fix for longer than the gap limit.
    case signalLost = "signal_lost"

    /// A trip is open, and its recorder has come back after a silence without a fix so far.
    case recovering

    /// A trip has ended and waits for its purpose.
    case details
}
