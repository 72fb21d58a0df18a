import Geodesy
import TripEvents
import TripTracking

/// Feeds a source's events to a tracker until one trip is over, and notes what each meant.
///
/// The events themselves are kept by the caller, as far as it needs them.
struct TripReplay {
    /// A split with the event that says so.
    struct Split {
        var stored: StoredEvent
        var at: Timestamp
    }

    private let id: TripID
    private let source: String
    private let startedAt: Timestamp

    /// Whether the source is one of a group.
    let isOfGroup: Bool

    /// The tracker after the events so far.
    private(set) var tracker: Tracker

    private var context: TrackingContext<LogDirectory>
    private var ended: Trip?

    /// The rules of the trip.
    private(set) var rules: TrackingRules

    /// The trips that splits have made.
    private var made: Set<TripID> = []

    /// The splits so far, by the trips that they make.
    private var splits: [TripID: Split] = [:]

    /// The split that made the trip, and the one that ended it.
    private(set) var opening: Split?
    private(set) var closing: Split?

    /// When it moved on after the split that made the trip; `nil` if none made it.
    private(set) var movedOnAt: Timestamp?

    init(of trip: Trip, from tracker: Tracker, directory: LogDirectory) {
        id = trip.id
        source = trip.source
        isOfGroup = trip.group != nil
        startedAt = trip.startedAt.timestamp
        self.tracker = tracker
        context = TrackingContext(events: directory, journal: VerdictJournal())
        rules = tracker.rulesOfTrip
    }

    /// Whether the trip is over and no further event is needed.
    var isFinished: Bool { ended != nil }

    /// The trip as computed; `nil` if the events have not opened it.
    var trip: Trip? {
        if let ended { return ended }
        return tracker.openTrip.flatMap { $0.id == id ? $0 : nil }
    }

    /// Takes the next event of the source, or one for all sources, in event order; one that splits
    /// a trip, or excludes a stretch, comes at the instant where it does.
    ///
    /// - Returns: Whether the event may turn out to be one of the trip; ``isDuring(_:)`` tells that
    ///   at the end.
    mutating func take(_ stored: StoredEvent, as standing: StandingDecision?) throws -> Bool {
        switch standing {
        case .split(let split):
            splits[split.made] = Split(stored: stored, at: split.at)
            try take(split)
            return false
        case .exclusion(let exclusion):
            tracker.take(exclusion)
            return false
        case nil: break
        }
        try tracker.evolve(stored.event.body, stamp: stored.stamp, in: &context)
        return isTaken(at: stored.happenedAt) && stored.event.source.hasSameBytes(as: source)
    }

    /// Takes the next fix of the source.
    ///
    /// - Returns: Whether it may turn out to be one of the trip.
    mutating func take(_ fix: Fix, stamp: EventStamp) throws -> Bool {
        try tracker.evolve(fix: fix, stamp: stamp, in: &context)
        return isTaken(at: fix.occurredAt)
    }

    /// Takes note of what the last event meant, and returns whether it happened since the trip's
    /// start.
    private mutating func isTaken(at instant: Timestamp) -> Bool {
        noteSteps()
        if opening != nil { movedOnAt = movedOnAt ?? instant }
        // Movement starts a trip at an earlier fix, so that its events are known by time.
        guard instant < startedAt else { return true }
        // Verdicts of other trips are not wanted.
        if tracker.openTrip?.id != id { context.journal = VerdictJournal() }
        return false
    }

    /// Lets time pass after the last event.
    mutating func passTime(to instant: Timestamp) throws {
        try tracker.advance(to: instant, in: &context)
        noteSteps()
    }

    /// Takes a split for which there is no event, or not yet.
    mutating func take(_ split: StandingSplit) throws {
        try tracker.take(split, in: &context)
        noteSteps()
    }

    /// Returns whether a split has made a trip.
    func made(by split: StandingSplit) -> Bool { made.contains(split.made) }

    /// Takes note of what the last event meant for trips.
    private mutating func noteSteps() {
        guard !context.steps.isEmpty else { return }
        let steps = context.steps
        context.steps = []
        // What ends the trip may begin another one and end that too, as a split at a STOP does.
        let isOver =
            ended != nil
            || steps.contains { step in
                if case .ended(let trip) = step { trip.id == id } else { false }
            }
        for step in steps {
            switch step {
            case .ended(let trip) where trip.id == id:
                ended = trip
            case .ended(let trip)
            where !isOver && trip.endedBy != .split && tracker.openTrip?.id != id:
                // The other trip's verdicts are not wanted, though it may end after this one has
                // started.
                context.journal = VerdictJournal()
            case .opened(let trip) where trip.startedBy == .split:
                made.insert(trip.id)
                if trip.id == id {
                    opening = splits[id]
                    rules = tracker.rulesOfTrip
                }
                if ended?.endedBy == .split, closing == nil { closing = splits[trip.id] }
            case .opened(let trip) where trip.id == id: rules = tracker.rulesOfTrip
            case .opened, .updated, .ended, .withdrawn:
                break
            }
        }
    }

    /// Returns the events of the trip with what they meant, in event order.
    ///
    /// - Parameter taken: The events that may be the trip's.
    /// - Returns: Those that are.
    func events(among taken: [StoredEvent]) -> [ExplainedEvent] {
        var verdicts: [UInt64: NotedVerdict] = [:]
        for verdict in decidedVerdicts { verdicts[verdict.position] = verdict }
        var sum = Distance.zero
        let during =
            [opening?.stored].compactMap(\.self) + taken.filter { isDuring($0.happenedAt) }
            + [closing?.stored].compactMap(\.self)
        return during.map { stored in
            let verdict = verdicts[stored.position]
            sum += verdict?.added ?? .zero
            return ExplainedEvent(
                stored: stored,
                verdict: verdict?.verdict,
                added: verdict?.added ?? .zero,
                excluded: verdict?.excluded ?? .zero,
                gap: verdict?.gap ?? .zero,
                sum: sum
            )
        }
    }

    /// Returns whether an event of the source that happened at an instant belongs to the trip.
    func isDuring(_ instant: Timestamp) -> Bool {
        if let opening, instant < opening.at { return false }
        if let closing { return instant < closing.at }
        // A trip may turn out to have ended before the event that says so.
        return ended?.endedAt.map { instant <= $0.timestamp } ?? true
    }

    /// The verdicts as if everything undecided were decided now, in the order in which they were
    /// noted: the last one of a fix counts.
    var decidedVerdicts: [NotedVerdict] {
        var journal = context.journal
        var tracker = tracker
        tracker.settlePending(journal: &journal)
        return journal?.noted ?? []
    }
}
