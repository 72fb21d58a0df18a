import Geodesy
import TripEvents
import TripTracking

/// Feeds a source's events to a tracker until one trip is over, and notes what each meant.
struct TripReplay {
    private let id: TripID
    private let source: String
    private let startedAt: Timestamp
    private let directory: LogDirectory
    private var tracker: Tracker
    private var journal = RecordingJournal()
    private var taken: [StoredEvent] = []
    private var ended: Trip?

    init(of trip: Trip, from tracker: Tracker, directory: LogDirectory) {
        id = trip.id
        source = trip.source
        startedAt = trip.startedAt.timestamp
        self.directory = directory
        self.tracker = tracker
    }

    /// Whether the trip is over and no further event is needed.
    var isFinished: Bool { ended != nil }

    /// The trip as it came out; `nil` if it did not.
    var trip: Trip? {
        if let ended { return ended }
        return tracker.openTrip.flatMap { $0.id == id ? $0 : nil }
    }

    /// Takes the next event of the source, or one for all sources, in event order.
    mutating func take(_ stored: StoredEvent) throws {
        var steps: [TripStep] = []
        try tracker.evolve(
            stored.event.body,
            stamp: stored.stamp,
            events: directory,
            steps: &steps,
            journal: &journal
        )
        for step in steps {
            if case .ended(let trip) = step, trip.id == id { ended = trip }
        }
        // Movement starts a trip at an earlier fix, so that its events are known by time.
        if stored.event.occurredAt >= startedAt {
            if stored.event.source == source { taken.append(stored) }
        } else if tracker.openTrip?.id != id {
            // Verdicts of other trips are not wanted.
            journal = RecordingJournal()
        }
    }

    /// The events of the trip with what they meant, in event order.
    var events: [ExplainedEvent] {
        var verdicts: [UInt64: NotedVerdict] = [:]
        for verdict in decidedJournal.verdicts { verdicts[verdict.position] = verdict }
        var sum = Distance.zero
        // A trip may turn out to have ended before the event that says so.
        let endedAt = ended?.endedAt?.timestamp
        let during = taken.filter { $0.event.occurredAt <= endedAt ?? $0.event.occurredAt }
        return during.map { stored in
            let verdict = verdicts[stored.position]
            sum += verdict?.added ?? .zero
            return ExplainedEvent(
                stored: stored,
                verdict: verdict?.verdict,
                added: verdict?.added ?? .zero,
                gap: verdict?.gap ?? .zero,
                sum: sum
            )
        }
    }

    /// The journal as if everything undecided were decided now.
    private var decidedJournal: RecordingJournal {
        var journal = journal
        var tracker = tracker
        tracker.decide(journal: &journal)
        return journal
    }
}
