import EventStore
public import Geodesy
public import Projections
public import SystemPackage
import TripEvents
public import TripTracking
public import TripsProjection

extension Snapshot {
    /// Computes a trip again from the log and says what each event meant for it.
    ///
    /// For a merged trip all parts are computed again, one after the other.
    ///
    /// - Throws: `.notFound` if there is no such trip, or more than one; `.damaged`,
    /// `.inputOutput`.
    public func explain(_ reference: TripReference) throws(LedgerError) -> TripExplanation {
        try asking {
            let row = try store.trip(reference, of: path)
            var explainer = TripExplainer(trackers(), upTo: head.size)
            var events: [ExplainedEvent] = []
            var parts: [Trip] = []
            var rules: TrackingRules?
            var movedOnAt: Timestamp?
            var odometers: [OdometerSpan] = []
            for id in row.booked.shownTrips {
                guard let part = try store.part(id),
                    var explained = try explainer.explain(part)
                else { throw missing(id) }
                if explained.trip.mayGoByOdometer,
                    let odometer = try TripBook(over: store).odometer(of: id)
                {
                    explained.go(by: odometer)
                    odometers.append(odometer)
                }
                // Nothing was measured on the way from the part before.
                let missed = Self.gaps(of: parts + [explained.trip]) - Self.gaps(of: parts)
                events += Self.continued(
                    explained.events,
                    after: events.last?.sum ?? .zero,
                    gap: missed - explained.trip.gaps.distance
                )
                parts.append(explained.trip)
                rules = explained.rules
                movedOnAt = explained.movedOnAt
            }
            guard let whole = Self.merged(parts) else { throw missing(row.trip.id) }
            var reader = OriginReader(log)
            for index in events.indices {
                let stored = events[index].stored
                events[index].origin = try reader.origin(
                    of: stored.position,
                    recordedAt: stored.recordedAt
                )
            }
            return TripExplanation(
                // Without the sketch, as rows have it.
                trip: TripRow(whole).trip,
                row: row,
                rules: rules,
                odometers: odometers,
                movedOnAt: movedOnAt,
                events: events,
                amendments: try TripBook(over: store).history(of: row.trip.id)
            )
        }
    }

    private static func merged(_ parts: [Trip]) -> Trip? {
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        return Trip(merging: first, with: Array(parts.dropFirst()))
    }

    private static func gaps(of parts: [Trip]) -> Distance {
        merged(parts)?.gaps.distance ?? .zero
    }

    /// Returns the events of a part of a merged trip as they continue the parts before it.
    private static func continued(
        _ events: [ExplainedEvent],
        after sum: Distance,
        gap: Distance
    ) -> [ExplainedEvent] {
        var continued = events
        for index in continued.indices {
            continued[index].sum += sum
        }
        if let first = continued.indices.first { continued[first].gap += gap }
        return continued
    }

    /// Says that the log does not give a trip that the views have.
    func missing(_ trip: TripID) -> LedgerError {
        LedgerError(
            .damaged,
            at: path.string,
            cause: "the view has trip \(trip), but the log does not give it",
            hint: "Make the views anew with `ledger project --rebuild`"
        )
    }
}

/// A trip computed again from the log, event by event.
public struct TripExplanation: Sendable {
    /// The trip as computed now.
    public var trip: Trip

    /// The trip as the view has it.
    public var row: TripRow

    /// The rules of the trip, of a merged trip those of its last part; `nil` if a person reported
    /// that one.
    public var rules: TrackingRules?

    /// The odometer readings at both ends of the trip, or of its parts, if the distance comes from
    /// them.
    public var odometers: [OdometerSpan]

    /// When the trip moved on after the split that made it, which is when it can be split again;
    /// `nil` if none made it.
    public var movedOnAt: Timestamp?

    /// The events that make the trip, in event order.
    ///
    /// These are the events of its source from its start to its end; for a reported trip, the
    /// report; for a merged trip, the events of each part. A part of a trip that was split begins
    /// or ends with the event that splits.
    public var events: [ExplainedEvent]

    /// Every change that people made to the trip, in event order.
    public var amendments: [TripAmendment]

    /// Whether the view agrees with the trip as computed now, and the lines with both: they add up
    /// to its distance, and what they say of gaps to its gaps.
    public var isConfirmed: Bool { row.trip == trip && addsUp }

    /// Whether the lines add up to the trip as computed now.
    public var addsUp: Bool {
        (events.last?.sum ?? .zero) == trip.distance
            && events.map(\.gap).reduce(.zero, +) == trip.gaps.distance
    }

    /// Refuses an explanation that does not stand.
    ///
    /// - Parameter path: The directory of the ledger.
    /// - Throws: `.damaged` if view, lines and trip do not agree.
    public func confirm(in path: FilePath) throws(LedgerError) {
        guard !isConfirmed else { return }
        throw LedgerError(
            .damaged,
            at: "\(path)/views",
            cause: addsUp
                ? "the view of trips says something else about trip \(trip.id) than its events"
                : "the events of trip \(trip.id) do not add up to its distance",
            hint: "Make the views anew with `ledger project --rebuild`"
        )
    }
}

/// One line of an explanation: an event of the trip's source and what it meant for the trip.
public struct ExplainedEvent: Hashable, Sendable {
    /// The event as stored.
    public var stored: StoredEvent

    /// The verdict of the rules, if it is a fix.
    public var verdict: Verdict?

    /// What it added to the trip's distance.
    public var added: Distance

    /// The distance that it would have added if a person had not excluded it.
    public var excluded: Distance

    /// The straight line across the gap that it ended, else nothing.
    public var gap: Distance

    /// The trip's distance after it.
    public var sum: Distance

    /// Its origin, if that is known to be a file in another format.
    public var origin: EntryOrigin?
}

/// A trip computed again, without what people decided about it.
struct ExplainedTrip {
    /// The trip as computed again.
    var trip: Trip

    /// The rules of the trip; `nil` if a person reported it.
    var rules: TrackingRules?

    /// When it moved on after the split that made it.
    var movedOnAt: Timestamp?

    /// The events that make it.
    var events: [ExplainedEvent]

    /// Gives it the distance that an odometer showed, as added by STOP.
    mutating func go(by odometer: OdometerSpan) {
        trip = trip.going(by: odometer)
        let isStop = { (event: ExplainedEvent) in
            event.stored.event.body.kind == .stopPressed
        }
        guard let stop = events.lastIndex(where: isStop) else { return }
        events[stop].added = odometer.distance
        for index in events[stop...].indices { events[index].sum = odometer.distance }
    }
}

/// Computes single trips again: measured ones from their sources' events, reported ones from the
/// report.
struct TripExplainer {
    /// How many entries of the log the views know.
    let end: UInt64

    /// How many events lie between the trackers that are kept of a trip: its parts are computed
    /// again in milliseconds then, and a million events have 250 of them.
    var trackerInterval = 4_096

    /// The trackers of the views, and the events that they were given.
    var trackers: TrackerFolds

    /// Prepares to explain trips of views that have read the log up to `end`.
    ///
    /// - Parameters:
    ///   - trackers: The trackers of the views, and the events that they were given.
    ///   - end: How many entries of the log the views know.
    init(_ trackers: TrackerFolds, upTo end: UInt64) {
        self.trackers = trackers
        self.end = end
    }

    /// The log.
    var log: ReadableLog { trackers.log }

    /// Returns a trip as computed again, with what makes it; `nil` if the log does not give it.
    mutating func explain(_ trip: Trip) throws -> ExplainedTrip? {
        guard trip.startedBy == .report else { return try explain(measured: trip) }
        guard let source = try log.number(ofSource: trip.source) else { return nil }
        return try explain(reported: trip, by: source)
    }

    private mutating func explain(measured trip: Trip) throws -> ExplainedTrip? {
        guard let course = try course(of: trip) else { return nil }
        var replay = replay(course)
        var names = SourceNames(log)
        var taken: [StoredEvent] = []
        var index = 0
        try log.read(course.events.positions) { entry, _ in
            let event = course.events[index]
            index += 1
            let stored = try event.stored(entry, &names)
            if try replay.take(stored, as: event.standing) { taken.append(stored) }
            return !replay.isFinished
        }
        if !replay.isFinished { try replay.passTime(to: trackers.cursor.passedTo) }
        return replay.trip.map {
            ExplainedTrip(
                trip: $0,
                rules: replay.rules,
                movedOnAt: replay.movedOnAt,
                events: replay.events(among: taken)
            )
        }
    }

    /// Returns when the first event of a source happened between two instants; `nil` if none did.
    mutating func firstInstant(
        of source: UInt32,
        in instants: ClosedRange<Timestamp>
    ) throws -> Timestamp? {
        var first: Timestamp?
        try trackers.ambient.order.forEachMark(
            of: source,
            after: EventMark(startOf: instants.lowerBound, position: 0),
            upTo: end,
            until: instants.upperBound
        ) { first = min(first ?? $0.occurredAt, $0.occurredAt) }
        return first
    }

    /// Returns the fixes of a source between two instants, in event order, whatever the rules make
    /// of them.
    mutating func fixes(
        of source: UInt32,
        in instants: ClosedRange<Timestamp>
    ) throws -> [TrackedFix] {
        let marks = try trackers.ambient.order.marks(
            of: source,
            after: EventMark(startOf: instants.lowerBound, position: 0),
            upTo: end,
            until: instants.upperBound
        )
        var names = SourceNames(log)
        var fixes: [TrackedFix] = []
        var next = marks.makeIterator()
        try log.read(marks.map(\.position)) { entry, _ in
            guard let mark = next.next() else { return false }
            let stored = try ReplayedEvent(mark: mark).stored(entry, &names)
            if let fix = TrackedFix(stored) { fixes.append(fix) }
            return true
        }
        return fixes
    }

    /// Hands over the positions in the log of the entries that make a trip, and when they were
    /// recorded: the fixes of its source while it lasted, in event order, or the report.
    mutating func forEachEvidence(
        of trip: Trip,
        _ body: (_ position: UInt64, _ recordedAt: Timestamp) throws -> Void
    ) throws {
        guard trip.startedBy != .report else {
            for event in try explain(trip)?.events ?? [] {
                try body(event.stored.position, event.stored.recordedAt)
            }
            return
        }
        guard let source = try log.number(ofSource: trip.source) else { return }
        let marks = try trackers.ambient.order.marks(
            of: source,
            after: EventMark(startOf: trip.startedAt.timestamp, position: 0),
            upTo: end,
            until: trip.endedAt?.timestamp
        )
        try log.read(marks.map(\.position)) { entry, position in
            if entry.kind == EventKind.fixRecorded.rawValue, !entry.isTombstone {
                try body(position, Timestamp(milliseconds: entry.recordedAt))
            }
            return true
        }
    }

    private mutating func explain(
        reported trip: Trip,
        by source: UInt32
    ) throws -> ExplainedTrip? {
        var found: ExplainedTrip?
        try log.scan(source: source, from: .min, upTo: end) { entry, position in
            guard entry.kind == EventKind.tripReported.rawValue else { return }
            let stored = try StoredEvent(
                entry,
                at: position,
                source: RegisteredSource(name: trip.source, group: trip.group)
            )
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
                excluded: .zero,
                gap: .zero,
                sum: reported.distance
            )
            found = ExplainedTrip(trip: reported, events: [line])
        }
        return found
    }
}
