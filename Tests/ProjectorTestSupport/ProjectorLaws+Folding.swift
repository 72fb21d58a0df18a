import DriveSimulation
import Projections
import Testing
public import TripEvents
import TripTracking

extension ProjectorLaws {
    /// A way to get from the log to the rows; all of them lead to the same rows.
    struct Folding {
        /// How events and steps are handed over.
        enum Way: CaseIterable {
            /// Fixes as the tracker takes them fastest.
            case fast

            /// Fixes as events like all others.
            case plain

            /// With time passing between events, as `status` and `watch` let it.
            case watched

            /// Each step twice, as after a run that was cut off before its commit.
            case stepsTwice
        }

        /// The places where the run stops and another one goes on from the active-trip checkpoint.
        enum Cuts {
            case none
            case everywhere

            /// Before every event that a generator with this seed picks, one in eight.
            case at(UInt64)
        }

        var way: Way
        var cuts: Cuts
        var rules = TrackingRules.v1
    }

    /// Returns the rows that a projector makes of a log.
    static func rows<Made: Projector>(
        of log: [LoggedEvent],
        projector: Made,
        _ folding: Folding
    ) throws -> BookedRows<Made> {
        var rows = BookedRows(projector)
        let directory = LogDirectory(log)
        for (source, events) in Dictionary(grouping: log, by: \.event.source) {
            var tracker = Tracker(source: source, rules: folding.rules)
            var picks = SplitMix64(seed: 0)
            if case .at(let seed) = folding.cuts {
                picks = SplitMix64(seed: seed)
            }
            var seenAt: Timestamp?
            for logged in events.sorted(by: { $0.order < $1.order }) {
                let isCut =
                    switch folding.cuts {
                    case .none: false
                    case .everywhere: true
                    case .at: picks.next() % 8 == 0
                    }
                if isCut {
                    try show(tracker, &rows)
                    let resumed = try Tracker(decoding: tracker.encode())
                    #expect(resumed == tracker)
                    tracker = resumed
                }
                if folding.way == .watched, let seenAt {
                    let wait = logged.event.occurredAt.milliseconds(since: seenAt)
                    let instant = seenAt.advanced(byMilliseconds: wait * 2 / 3)
                    for step in pass(&tracker, to: instant, directory) { try rows.take(step) }
                }
                seenAt = logged.event.occurredAt
                for step in evolve(&tracker, logged, directory, way: folding.way) {
                    try rows.take(step)
                    if folding.way == .stepsTwice { try rows.take(step) }
                }
                if let decision = logged.decision {
                    try rows.take(decision)
                    if folding.way == .stepsTwice { try rows.take(decision) }
                }
            }
            try show(tracker, &rows)
        }
        return rows
    }

    /// Finds events by their positions, which are their places in a log.
    struct LogDirectory: EventDirectory {
        private let log: [LoggedEvent]

        init(_ log: [LoggedEvent]) {
            self.log = log
        }

        func facts(at position: UInt64) -> EventFacts {
            let logged = log[Int(position)]
            return EventFacts(identity: logged.order.identity, utcOffset: logged.event.utcOffset)
        }
    }

    /// Brings the row of an open trip up to date, as a run does at its end.
    private static func show(_ tracker: Tracker, _ rows: inout BookedRows<some Projector>) throws {
        if let trip = tracker.openTrip { try rows.take(.updated(trip)) }
    }

    private static func pass(
        _ tracker: inout Tracker,
        to instant: Timestamp,
        _ directory: LogDirectory
    ) -> [TripStep] {
        var context = TrackingContext(events: directory)
        tracker.advance(to: instant, in: &context)
        return context.steps
    }

    static func evolve(
        _ tracker: inout Tracker,
        _ logged: LoggedEvent,
        _ directory: LogDirectory,
        way: Folding.Way
    ) -> [TripStep] {
        var context = TrackingContext(events: directory)
        if way != .plain, case .fixRecorded(let reading) = logged.event.body,
            let fix = reading.fix(occurredAt: logged.event.occurredAt)
        {
            tracker.evolve(fix: fix, stamp: logged.stamp, in: &context)
        } else {
            tracker.evolve(logged.event.body, stamp: logged.stamp, in: &context)
        }
        return context.steps
    }
}

extension ProjectorLaws {
    /// An event with its place in the log and in its source's event order.
    struct LoggedEvent {
        var event: TripEvent
        var stamp: EventStamp
        var order: EventOrder

        /// The event as a decision, if it is one.
        var decision: Decision? {
            Decision(event, identity: order.identity, recordedAt: stamp.recordedAt)
        }
    }

    /// Appends events in order of arrival, one a second, as the log does: what it has already, it
    /// does not take again.
    static func log(_ arrivals: [TripEvent]) -> [LoggedEvent] {
        var known: Set<TripEvent> = []
        let began = Timestamp(milliseconds: 1_900_000_000_000)
        return arrivals.filter { known.insert($0).inserted }.enumerated()
            .map { index, event in
                let stamp = EventStamp(
                    occurredAt: event.occurredAt,
                    utcOffset: event.utcOffset,
                    recordedAt: began.advanced(byMilliseconds: Int64(index) * 1_000),
                    position: UInt64(index)
                )
                let order = EventOrder(event, identity: identity(of: event))
                return LoggedEvent(event: event, stamp: stamp, order: order)
            }
    }

    /// Returns a digest that stands in for SHA-256: FNV-1a of everything the event says, stretched.
    public static func identity(of event: TripEvent) -> IdentityDigest {
        let seed = String(describing: event).utf8
            .reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
        var words = SplitMix64(seed: seed)
        return IdentityDigest(words: [words.next(), words.next(), words.next(), words.next()])
    }
}
