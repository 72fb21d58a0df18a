import LedgerTestSupport
import TripEvents
import TripTracking

/// The events of one source in event order, for folding some of them.
struct CheckpointReplay: EventDirectory {
    private let events: [(event: TripEvent, order: EventOrder)]

    init(_ events: [TripEvent]) {
        self.events =
            events.map { ($0, EventOrder($0, identity: ProjectorLaws.identity(of: $0))) }
            .sorted { $0.order < $1.order }
    }

    /// A tracker that has seen nothing.
    var beginning: Tracker { Tracker(source: events.first?.event.source ?? "", rules: .v1) }

    /// Gives a tracker some of the events, and returns what they meant.
    func fold(_ range: Range<Int>, _ tracker: inout Tracker) -> [TripStep] {
        var steps: [TripStep] = []
        for index in range {
            let event = events[index].event
            let stamp = EventStamp(
                occurredAt: event.occurredAt,
                utcOffset: event.utcOffset,
                recordedAt: event.occurredAt,
                position: UInt64(index)
            )
            tracker.evolve(event.body, stamp: stamp, events: self, steps: &steps)
        }
        return steps
    }

    /// Returns what a tracker is doing at moments up to three hours after the last event.
    func liveStatuses(of tracker: Tracker) -> [LiveStatus] {
        guard let last = events.last?.event.occurredAt else { return [] }
        return ([0, 1, 60, 121, 600, 901, 2_700, 7_199, 7_200, 10_800] as [Int64])
            .map { seconds in
                var tracker = tracker
                var steps: [TripStep] = []
                let instant = last.advanced(byMilliseconds: seconds * 1_000)
                return tracker.advance(to: instant, events: self, steps: &steps)
            }
    }

    func facts(at position: UInt64) -> EventFacts {
        let found = events[Int(position)]
        return EventFacts(identity: found.order.identity, utcOffset: found.event.utcOffset)
    }
}
