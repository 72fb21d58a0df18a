/// A named set of tracking rules; the raw value is its name in JSON.
public enum TrackingPreset: String, CaseIterable, Sendable {
    /// A phone: trips start by press and motion.
    case phone

    /// A phone's continuous record: trips start by press, motion and movement.
    case history

    /// A recorder that is on only while the engine runs: as `history`, and a short silence means
    /// that the car is parked.
    case logger
}
