import Geodesy
import TripEvents
import TripTracking

/// Feeds a source's events to a tracker until one trip is over, and notes what each meant.
struct TripReplay {
    private let id: TripID
    private var tracker: Tracker
    private var journal = RecordingJournal()
    private var taken: [StoredEvent] = []
    private var ended: Trip?

    init(of id: TripID, from tracker: Tracker) {
        self.id = id
        self.tracker = tracker
    }

    /// Whether the trip is over and no further event is needed.
    var isFinished: Bool { ended != nil }

    /// The trip as it came out; `nil` if it did not.
    var trip: Trip? {
        if let ended { return ended }
        return tracker.openTrip.flatMap { $0.id == id ? $0 : nil }
    }

    /// Takes the next event of the source, in event order.
    mutating func take(_ stored: StoredEvent) {
        var steps: [TripStep] = []
        let isDuring = tracker.openTrip?.id == id
        tracker.evolve(
            stored.event.body,
            stamp: stored.stamp,
            identity: stored.identity,
            steps: &steps,
            journal: &journal
        )
        for step in steps {
            if case .ended(let trip) = step, trip.id == id { ended = trip }
        }
        if isDuring || tracker.openTrip?.id == id {
            taken.append(stored)
        } else {
            // Verdicts of other trips are not wanted.
            journal = RecordingJournal()
        }
    }

    /// The events of the trip with what they meant, in event order.
    var events: [ExplainedEvent] {
        var verdicts: [UInt64: NotedVerdict] = [:]
        for verdict in decidedJournal.verdicts { verdicts[verdict.position] = verdict }
        var sum = Distance.zero
        return taken.map { stored in
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
