import EventStore
import Geodesy
import Projections
import TripEvents
import TripTracking

/// Computes single trips again: measured ones from their sources' events, reported ones from the
/// report.
struct TripExplainer {
    private let end: UInt64
    private var runner: ProjectionRunner

    /// Prepares to explain trips of views that have read the log up to `end`.
    ///
    /// - Parameters:
    ///   - runner: Asks what was projected into the views; what concerns all sources is loaded.
    ///   - end: How many entries of the log the views know.
    init(_ runner: ProjectionRunner, upTo end: UInt64) {
        self.runner = runner
        self.end = end
    }

    private var log: EventLog { runner.log }

    /// Returns a trip as it comes out, with what makes it; `nil` if the log does not give it.
    mutating func explain(_ trip: Trip) throws -> (trip: Trip, events: [ExplainedEvent])? {
        guard let source = try log.number(ofSource: trip.source) else { return nil }
        return trip.startedBy == .report
            ? try explain(reported: trip, by: source) : try explain(measured: trip, by: source)
    }

    private mutating func explain(
        measured trip: Trip,
        by source: UInt32
    ) throws -> (trip: Trip, events: [ExplainedEvent])? {
        let point = try runner.rewindPoint(of: source, before: trip.startedAt.timestamp)
        let replayed = try runner.events(for: trip, of: source, after: point, upTo: end)
        var names = SourceNames(log)
        var replay = TripReplay(
            of: trip,
            from: point?.tracker ?? Tracker(source: trip.source, rules: runner.rules),
            directory: LogDirectory(log: log, names: SourceNames(log))
        )
        var next = replayed.makeIterator()
        try log.read(replayed.map(\.mark.position)) { entry, position in
            let name = try names.name(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, sourceName: name)
            try replay.take(stored, asSplit: next.next()?.split)
            return !replay.isFinished
        }
        return replay.trip.map { ($0, replay.events) }
    }

    /// Returns whether a split would divide a measured trip.
    mutating func canDivide(_ trip: Trip, at instant: Timestamp) throws -> Bool {
        guard let source = try log.number(ofSource: trip.source) else { return false }
        let point = try runner.rewindPoint(of: source, before: trip.startedAt.timestamp)
        let replayed = try runner.events(for: trip, of: source, after: point, upTo: end)
        var replay = TripReplay(
            of: trip,
            from: point?.tracker ?? Tracker(source: trip.source, rules: runner.rules),
            directory: LogDirectory(log: log, names: SourceNames(log))
        )
        let split = StandingSplit(
            trips: [trip.id],
            made: TripID(high: 0, low: 0),
            at: instant,
            recordedAt: instant
        )
        var names = SourceNames(log)
        var next = replayed.makeIterator()
        var isGiven = false
        try log.read(replayed.map(\.mark.position)) { entry, position in
            guard let event = next.next() else { return false }
            if !isGiven, event.mark.occurredAt >= instant {
                isGiven = true
                try replay.take(split)
            }
            let name = try names.name(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, sourceName: name)
            try replay.take(stored, asSplit: event.split)
            return !replay.isFinished
        }
        return replay.made(by: split)
    }

    private mutating func explain(
        reported trip: Trip,
        by source: UInt32
    ) throws -> (trip: Trip, events: [ExplainedEvent])? {
        var found: (trip: Trip, events: [ExplainedEvent])?
        try log.scan(source: source, from: .min, upTo: end) { entry, position in
            guard entry.kind == EventKind.tripReported.rawValue else { return }
            let stored = try StoredEvent(entry, at: position, sourceName: trip.source)
            guard TripID(openedBy: stored.identity) == trip.id,
                case .tripReported(let report) = stored.event.body,
                let decision = Decision(
                    stored.event,
                    identity: stored.identity,
                    recordedAt: stored.recordedAt
                )
            else { return }
            let reported = Trip(report, by: decision)
            let line = ExplainedEvent(
                stored: stored,
                verdict: nil,
                added: reported.distance,
                gap: .zero,
                sum: reported.distance
            )
            found = (reported, [line])
        }
        return found
    }
}
