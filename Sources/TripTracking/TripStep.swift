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

    /// Which trip it is about.
    public var trip: TripID {
        switch self {
        case .opened(let trip), .updated(let trip), .ended(let trip): trip.id
        case .withdrawn(let id): id
        }
    }

    /// The trip as it is now, or `nil` if there is none any more.
    public var measured: Trip? {
        switch self {
        case .opened(let trip), .updated(let trip), .ended(let trip): trip
        case .withdrawn: nil
        }
    }
}
