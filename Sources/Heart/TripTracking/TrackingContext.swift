public import TripEvents

/// The input and output of a tracker while it takes events.
///
/// A caller makes one for any number of events, and then reads the results from it.
public struct TrackingContext<Events: EventDirectory> {
    /// What the events mean for trips, in order.
    ///
    /// How far a trip has got is in ``Tracker/openTrip``.
    public var steps: [TripStep]

    /// Every verdict that was decided, for explaining a trip fix by fix; `nil` if none is to be
    /// kept, as in replay.
    public var journal: VerdictJournal?

    /// Asked about the events that open and end trips.
    public let events: Events

    /// Creates a context that asks `events`, and goes on with the steps and verdicts so far.
    @inlinable
    public init(events: Events, steps: [TripStep] = [], journal: VerdictJournal? = nil) {
        self.events = events
        self.steps = steps
        self.journal = journal
    }
}

/// Finds facts that are needed about few events, so that they need not be computed for every fix.
///
/// The tracker asks when it opens a trip, which is named by its opening event, and when a trip
/// turns out to have ended at an earlier fix.
public protocol EventDirectory {
    /// What can go wrong; `Never` in memory.
    associatedtype Failure: Error

    /// Returns the facts about the event at a position in the log.
    ///
    /// The position is always one of an event that the tracker was given.
    func facts(at position: UInt64) throws(Failure) -> EventFacts
}

/// What a trip takes over from the event that opened or ended it.
public struct EventFacts: Hashable, Sendable {
    /// The identity digest of the event.
    public var identity: IdentityDigest

    /// The source's offset from UTC, if it said.
    public var utcOffset: UTCOffset?

    /// Creates facts.
    public init(identity: IdentityDigest, utcOffset: UTCOffset? = nil) {
        self.identity = identity
        self.utcOffset = utcOffset
    }
}

/// What an event means for trips: the input of every projector.
public enum TripStep: Hashable, Sendable {
    /// A trip has started.
    case opened(Trip)

    /// An active trip has got further.
    case updated(Trip)

    /// A trip has ended; its figures are final unless late events change them.
    case ended(Trip)

    /// A trip that was reported before does not exist after all: late events changed its start.
    case withdrawn(TripID)

    /// The trip that it is about.
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
