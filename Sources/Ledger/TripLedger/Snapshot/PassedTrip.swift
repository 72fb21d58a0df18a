import EventStore
package import Geodesy
import Projections
package import TripEvents
import TripTracking

/// A measured trip computed again from the log, keeping so little of each event that a million of
/// them fit into memory.
///
/// It says of each event what a ``TripExplanation`` says, in a tenth of the memory and without
/// decoding texts and digests.
struct PassedTrip {
    /// An event of the trip's source while the trip lasted, or one that splits it.
    struct Event {
        /// Its position in the log.
        let position: UInt64

        /// When it counts as having happened.
        let happenedAt: Timestamp

        /// Where it was, if it is a fix.
        let coordinate: Coordinate?

        /// What the rules made of it, if it is a fix.
        fileprivate(set) var verdict: Verdict?

        /// Whether it added to the trip's distance.
        fileprivate(set) var adds = false

        /// Takes a fix.
        fileprivate init(_ fix: StoredFix) {
            position = fix.position
            happenedAt = fix.fix.occurredAt
            coordinate = fix.fix.coordinate
        }

        /// Takes any event.
        fileprivate init(_ stored: StoredEvent) {
            position = stored.position
            happenedAt = stored.happenedAt
            if case .fixRecorded(let reading) = stored.event.body {
                coordinate = reading.fix(occurredAt: stored.happenedAt)?.coordinate
            } else {
                coordinate = nil
            }
        }
    }

    /// How many events that are no fixes may stand between two verdicts without a lookup.
    private static let mostBetween = 32

    /// The trip as computed again, without people's decisions about it.
    let trip: Trip

    /// When it moved on after the split that made it; `nil` if none made it.
    let movedOnAt: Timestamp?

    /// The events that make it, in event order.
    let events: [Event]

    /// The data from which parts of it are computed again.
    let course: TripCourse

    fileprivate init(
        _ trip: Trip,
        _ replay: TripReplay,
        among taken: consuming [Event],
        along course: TripCourse
    ) {
        self.trip = trip
        movedOnAt = replay.movedOnAt
        self.course = course
        var taken = consume taken
        Self.note(replay.decidedVerdicts, in: &taken)
        let ends = [replay.opening, replay.closing]
            .map { split in
                split.map { [Event($0.stored)] } ?? []
            }
        events = ends[0] + taken.filter { replay.isDuring($0.happenedAt) } + ends[1]
    }

    /// Notes verdicts, which come nearly in the order of their events; the last one of a fix
    /// counts.
    private static func note(_ verdicts: [NotedVerdict], in events: inout [Event]) {
        var next = 0
        var indices: [UInt64: Int] = [:]
        for verdict in verdicts {
            let start = next
            let end = min(events.count, next + mostBetween)
            while next < end, events[next].position != verdict.position { next += 1 }
            if next == end {
                if indices.isEmpty {
                    for (index, event) in events.enumerated() { indices[event.position] = index }
                }
                guard let index = indices[verdict.position] else {
                    next = start
                    continue
                }
                next = index
            }
            events[next].verdict = verdict.verdict
            events[next].adds = verdict.added > .zero
            next += 1
        }
    }
}

/// The events of a measured trip in event order, and its source's tracker at some of them, so that
/// a part of the trip can be computed again without what comes before it.
struct TripCourse {
    /// How many events lie between two of the trackers.
    let interval: Int

    /// The trip.
    let trip: Trip

    /// The events.
    let events: ReplayedEvents

    /// The tracker before the first event, and before each ``interval``th after it as far as the
    /// trip was computed.
    fileprivate(set) var trackers: [Tracker]
}

extension TripExplainer {
    /// Finds the events of a measured trip; returns `nil` if the log has no such source.
    mutating func course(of trip: Trip) throws -> TripCourse? {
        guard let source = try log.number(ofSource: trip.source) else { return nil }
        let point = try trackers.rewindPoint(of: source, before: trip.startedAt.timestamp)
        return TripCourse(
            interval: trackerInterval,
            trip: trip,
            events: try trackers.events(for: trip, of: source, after: point, upTo: end),
            trackers: [
                point?.tracker
                    ?? Tracker(source: trip.source, group: trip.group, rules: trackers.rules)
            ]
        )
    }

    /// Begins to compute a trip again from one of its trackers.
    func replay(_ course: TripCourse, from index: Int = 0) -> TripReplay {
        TripReplay(
            of: course.trip,
            from: course.trackers[index],
            directory: LogDirectory(log: log, names: SourceNames(log))
        )
    }

    /// Computes a trip again; returns `nil` if a person reported it, or if the log does not give
    /// it.
    mutating func pass(_ trip: Trip) throws -> PassedTrip? {
        guard trip.startedBy != .report, var course = try course(of: trip) else { return nil }
        var replay = replay(course)
        var taken: [PassedTrip.Event] = []
        var names = SourceNames(log)
        var index = 0
        try log.read(course.events.positions) { entry, _ in
            if index > 0, index.isMultiple(of: course.interval) {
                course.trackers.append(replay.tracker)
            }
            let event = course.events[index]
            index += 1
            if let event = try replay.take(entry, as: event, &names) { taken.append(event) }
            return !replay.isFinished
        }
        if !replay.isFinished { try replay.passTime(to: trackers.cursor.passedTo) }
        return replay.trip.map { PassedTrip($0, replay, among: taken, along: course) }
    }

    /// Returns whether a split would divide a measured trip.
    mutating func canDivide(_ trip: Trip, at instant: Timestamp) throws -> Bool {
        guard let course = try course(of: trip) else { return false }
        return try canDivide(course, at: instant)
    }

    /// Returns whether a split would divide a measured trip.
    ///
    /// It does as soon as the trip moves on after it, so that most of the trip is not looked at.
    func canDivide(_ course: TripCourse, at instant: Timestamp) throws -> Bool {
        let split = StandingSplit(
            trip: course.trip.id,
            made: TripID(high: 0, low: 0),
            at: instant,
            order: EventOrder(
                occurredAt: Timestamp(milliseconds: .max),
                kind: .tripSplit,
                sequence: nil,
                identity: IdentityDigest(words: [0, 0, 0, 0])
            ),
            recordedAt: instant
        )
        let marks = course.events.marks
        let first = course.events.firstIndex(from: instant)
        let start = min(first / course.interval, course.trackers.count - 1)
        var replay = replay(course, from: start)
        var names = SourceNames(log)
        var index = start * course.interval
        while index < marks.count, !replay.isFinished, !replay.made(by: split) {
            let end = min(marks.count, index + course.interval)
            try log.read(marks[index..<end].map(\.position)) { entry, _ in
                if index == first { try replay.take(split) }
                let event = course.events[index]
                index += 1
                _ = try replay.take(entry, as: event, &names)
                return !replay.isFinished && !replay.made(by: split)
            }
        }
        return replay.made(by: split)
    }
}

extension TripReplay {
    /// Takes the event of an entry, and returns it if it may turn out to be one of the trip.
    fileprivate mutating func take(
        _ entry: EntryView,
        as event: ReplayedEvent,
        _ names: inout SourceNames
    ) throws -> PassedTrip.Event? {
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        // Nearly all events are fixes. What is wrong with one is said by the whole decoder.
        if event.standing == nil, !entry.isTombstone, RFC3339.writable.contains(recordedAt),
            RFC3339.writable.contains(Timestamp(milliseconds: entry.occurredAt)),
            var fix = StoredFix(entry, at: event.mark.position)
        {
            fix.fix.occurredAt = event.mark.occurredAt
            let stamp = EventStamp(
                occurredAt: event.mark.occurredAt,
                utcOffset: fix.utcOffset,
                recordedAt: recordedAt,
                position: event.mark.position,
                isOfGroup: isOfGroup
            )
            return try take(fix.fix, stamp: stamp) ? PassedTrip.Event(fix) : nil
        }
        let stored = try event.stored(entry, &names)
        return try take(stored, as: event.standing) ? PassedTrip.Event(stored) : nil
    }
}

/// The way of a trip: its fixes that count, as far as a line needs them.
package struct TripWay: Sendable {
    /// A fix to which the trip's distance was measured.
    package struct Point: Sendable {
        /// Its position in the log.
        package let position: UInt64

        /// When it counts as having been taken.
        let happenedAt: Timestamp

        /// Where it was.
        package let coordinate: Coordinate

        /// Whether nothing was measured on the way to it: it is the first one of a recording, or it
        /// ends a gap.
        package let isAfterBreak: Bool
    }

    /// The fixes, in event order.
    package private(set) var points: [Point] = []

    /// Adds a trip, or a part of one.
    fileprivate mutating func add(_ passed: PassedTrip) {
        points.reserveCapacity(points.count + passed.events.count)
        var isFirst = true
        for event in passed.events {
            guard let coordinate = event.coordinate, let verdict = event.verdict,
                verdict.movesAnchor
            else { continue }
            points.append(
                Point(
                    position: event.position,
                    happenedAt: event.happenedAt,
                    coordinate: coordinate,
                    isAfterBreak: isFirst || verdict == .afterGap
                )
            )
            isFirst = false
        }
    }
}

extension Snapshot {
    /// Returns the way of a trip, of a merged one that of all its parts; without points if nothing
    /// was measured.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func way(of trip: TripID) throws(LedgerError) -> TripWay {
        try asking {
            var explainer = TripExplainer(trackers(), upTo: head.size)
            return try way(of: trip, &explainer)
        }
    }

    /// Hands over the ways of trips, one after the other.
    ///
    /// One way at a time is in memory. From then on nothing is read twice.
    ///
    /// - Parameters:
    ///   - trips: The trips; of a merged one the ways of all parts are meant.
    ///   - body: Takes a way.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func readWays(
        of trips: [TripID],
        forEach body: (TripWay) -> Void
    ) throws(LedgerError) {
        noteHandingOver()
        try asking {
            var explainer = TripExplainer(trackers(), upTo: head.size)
            for trip in trips { body(try way(of: trip, &explainer)) }
        }
    }

    private func way(of trip: TripID, _ explainer: inout TripExplainer) throws -> TripWay {
        var way = TripWay()
        guard let row = try store.tripRow(trip) else { return way }
        for part in row.booked.shownTrips {
            guard let part = try store.part(part),
                let passed = try explainer.pass(part)
            else { continue }
            way.add(passed)
        }
        return way
    }

    /// Returns points of a way as the log holds them, in the same order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func fixes(at points: [TripWay.Point]) throws(LedgerError) -> [TrackedFix] {
        try asking {
            var names = SourceNames(log)
            var fixes: [TrackedFix] = []
            fixes.reserveCapacity(points.count)
            try log.read(points.map(\.position)) { entry, position in
                let source = try names.source(of: entry.source, at: position)
                var stored = try StoredEvent(entry, at: position, source: source)
                stored.happenedAt = points[fixes.count].happenedAt
                guard let fix = TrackedFix(stored) else {
                    throw EventLogError.damaged(position: position, "it is no fix")
                }
                fixes.append(fix)
                return true
            }
            return fixes
        }
    }
}
