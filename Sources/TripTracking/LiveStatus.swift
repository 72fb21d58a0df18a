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
