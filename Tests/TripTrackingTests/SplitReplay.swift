import LedgerTestSupport
import TripEvents
import TripTracking

/// The trips that a source's events make when some splits stand.
struct SplitReplay {
    private(set) var trips: [TripID: Trip] = [:]

    /// Replays the events of one source.
    ///
    /// - Parameters:
    ///   - events: The events in order of time.
    ///   - rules: The rules at the beginning.
    ///   - splits: The splits, in any order.
    ///   - isKilled: Whether the tracker is stored and read back before each event and split.
    /// - Throws: What reading a stored tracker throws.
    init(
        _ events: [TripEvent],
        rules: TrackingRules,
        splits: [StandingSplit] = [],
        isKilled: Bool = false
    ) throws {
        var tracker = Tracker(source: events.first?.source ?? "", rules: rules)
        var rest = splits.sorted { ($0.at, $0.made) < ($1.at, $1.made) }[...]
        let ordered = events.enumerated()
            .sorted {
                let ranks = ($0.element.body.kind?.rank ?? .max, $1.element.body.kind?.rank ?? .max)
                return ($0.element.occurredAt, ranks.0, $0.offset)
                    < ($1.element.occurredAt, ranks.1, $1.offset)
            }
            .map(\.element)
        for (position, event) in ordered.enumerated() {
            while let split = rest.first, split.at <= event.occurredAt {
                rest.removeFirst()
                if isKilled { tracker = try Tracker(decoding: tracker.encode()) }
                var steps: [TripStep] = []
                var journal = SilentJournal()
                tracker.take(split, events: NumberedEvents(), steps: &steps, journal: &journal)
                take(steps)
            }
            if isKilled { tracker = try Tracker(decoding: tracker.encode()) }
            let stamp = EventStamp(
                occurredAt: event.occurredAt,
                recordedAt: event.occurredAt,
                position: UInt64(position)
            )
            var steps: [TripStep] = []
            tracker.evolve(event.body, stamp: stamp, events: NumberedEvents(), steps: &steps)
            take(steps)
        }
        if let open = tracker.openTrip { trips[open.id] = open }
    }

    private mutating func take(_ steps: [TripStep]) {
        for step in steps {
            switch step {
            case .opened(let trip), .updated(let trip), .ended(let trip): trips[trip.id] = trip
            case .withdrawn(let id): trips[id] = nil
            }
        }
    }
}
