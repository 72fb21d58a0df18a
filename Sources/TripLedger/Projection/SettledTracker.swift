import TripTracking

/// A tracker that was given what was decided after its source's last event, and what that meant.
struct SettledTracker {
    /// The tracker.
    var tracker: Tracker

    /// What the decisions meant for trips.
    var steps: [TripStep] = []
}
