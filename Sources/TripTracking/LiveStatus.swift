public import TripEvents

/// What a tracker is doing at one instant.
public struct LiveStatus: Hashable, Sendable {
    /// What it is doing.
    public var phase: TrackerPhase

    /// Since when: the start of the trip, its last kept fix if the signal is lost, the return of
    /// its recorder, or the end of the last trip; `nil` if there was none yet.
    public var since: Timestamp?

    /// The trip in progress, with its distance so far.
    public var trip: Trip?

    /// How long ago the last kept fix was, in milliseconds; `nil` without one.
    public var lastFixAgeMilliseconds: Int64?

    /// How long ago the trip last moved away from where it was, in milliseconds; `nil` between
    /// trips.
    public var restMilliseconds: Int64?

    /// The trip that has ended and waits for its purpose.
    public var awaitedTrip: TripID?

    /// Whether the driver is to be asked "still recording?".
    public var asksStillRecording = false

    /// Whether a trip goes on without a signal.
    public var isSignalLost: Bool { phase == .signalLost }
}

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
