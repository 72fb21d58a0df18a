public import TripEvents

/// What an event means for trips: the input of every projector.
public enum TripStep: Hashable, Sendable {
    /// A trip has started.
    case opened(Trip)

    /// An active trip has got further.
    case updated(Trip)

    /// A trip has ended; its figures are final unless late events change them.
    case ended(Trip)

    /// A trip that was told of before does not exist after all: late events changed its start.
    case withdrawn(TripID)
}
