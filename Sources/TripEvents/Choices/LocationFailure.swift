/// Why a device could not tell its location.
public enum LocationFailure: String, CaseIterable, Sendable {
    /// The user or the system does not let the recorder know.
    case denied

    /// No satellites, or none that will do.
    case noSignal = "no_signal"

    /// The network that helps was not there.
    case network

    /// No answer in time.
    case timeout

    /// Anything else, or not known.
    case other
}
