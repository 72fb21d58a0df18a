import DriveSimulation
import TripEvents
import TripTracking

/// A tracker that is given the events of one source, in any order of arrival.
struct Replay {
    var tracker: Tracker
    private var context = TrackingContext(events: NumberedEvents())

    /// What the events meant for trips.
    var steps: [TripStep] { context.steps }

    /// Replays events.
    ///
    /// - Parameters:
    ///   - arrivals: the events in order of arrival, with repetitions or without.
    ///   - rules: the rules at the beginning.
    ///   - isKilled: whether the tracker is stored and read back before each event.
    ///   - clock: decides about instants between events to which time is let pass.
    /// - Throws: what reading a stored tracker throws.
    init(
        _ arrivals: [TripEvent],
        rules: TrackingRules = .v1,
        isKilled: Bool = false,
        clock: UInt64? = nil
    ) throws {
        tracker = Tracker(source: arrivals.first?.source ?? "", rules: rules)
        var random = SplitMix64(seed: clock ?? 0)
        for (position, event) in Self.inOrder(arrivals).enumerated() {
            if isKilled {
                tracker = try Tracker(decoding: tracker.encode())
            }
            if let previous = latestAt, clock != nil {
                let wait = event.occurredAt.milliseconds(since: previous)
                let part = Int64.random(in: 0...wait, using: &random)
                tracker.advance(
                    to: previous.advanced(byMilliseconds: part),
                    in: &context
                )
            }
            latestAt = event.occurredAt
            let stamp = EventStamp(
                occurredAt: event.occurredAt,
                utcOffset: event.utcOffset,
                recordedAt: event.occurredAt,
                position: UInt64(position)
            )
            tracker.evolve(event.body, stamp: stamp, in: &context)
        }
    }

    private var latestAt: Timestamp?

    /// The trips that have ended.
    var ended: [Trip] {
        steps.compactMap { if case .ended(let trip) = $0 { trip } else { nil } }
    }

    /// The trips that have ended and count.
    var completed: [Trip] {
        ended.filter { $0.status == .completed }
    }

    /// Lets time pass after the last event.
    mutating func advance(bySeconds seconds: Int64) -> LiveStatus {
        let instant = (latestAt ?? Drive.start).advanced(byMilliseconds: seconds * 1_000)
        return tracker.advance(to: instant, in: &context)
    }

    /// Returns the events in event order, each once.
    static func inOrder(_ arrivals: [TripEvent]) -> [TripEvent] {
        var known: Set<TripEvent> = []
        return arrivals.filter { known.insert($0).inserted }
            .map { ($0, String(describing: $0)) }
            .sorted {
                let left = ($0.0.occurredAt, $0.0.body.kind?.rank ?? .max, $0.1)
                return left < ($1.0.occurredAt, $1.0.body.kind?.rank ?? .max, $1.1)
            }
            .map(\.0)
    }
}

/// Events whose identity is their position.
struct NumberedEvents: EventDirectory {
    var utcOffset: UTCOffset?

    func facts(at position: UInt64) -> EventFacts {
        EventFacts(
            identity: IdentityDigest(words: [position, 0, 0, 0]),
            utcOffset: utcOffset
        )
    }
}
