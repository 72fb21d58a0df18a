import DriveSimulation
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// The active-trip checkpoint and the events after it give what all events give.
@Suite struct ActiveTripCheckpointTests {
    @Test(arguments: Scenario.allCases)
    func `every scenario goes on from the active-trip checkpoint wherever it is cut`(
        scenario: Scenario
    ) throws {
        try expectSameFromEveryCheckpoint(DriveSimulator.events(of: scenario), "\(scenario)")
    }

    @Test(arguments: Seeds.fresh(3))
    func `drives with every fault go on from the active-trip checkpoint wherever they are cut`(
        seed: UInt64
    ) throws {
        let events = try ProjectorLaws.randomDrives(seed: seed).filter { $0.source == "phone" }
        try expectSameFromEveryCheckpoint(events, "seed \(seed)")
    }

    /// Expects the same trips, and the same live status at any moment after the last event, from
    /// each active-trip checkpoint on as from the beginning.
    private func expectSameFromEveryCheckpoint(_ events: [TripEvent], _ comment: Comment) throws {
        let replay = CheckpointReplay(events)
        var whole = replay.beginning
        let steps = replay.fold(0..<events.count, &whole)
        let statuses = replay.liveStatuses(of: whole)
        var tracker = replay.beginning
        var before: [TripStep] = []
        for cut in 0...events.count {
            var resumed = try Tracker(decoding: tracker.encode())
            let after = replay.fold(cut..<events.count, &resumed)
            #expect(before + after == steps, comment)
            #expect(resumed == whole, comment)
            #expect(replay.liveStatuses(of: resumed) == statuses, comment)
            if cut < events.count { before += replay.fold(cut..<(cut + 1), &tracker) }
        }
    }
}

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
        var context = TrackingContext(events: self)
        for index in range {
            let event = events[index].event
            let stamp = EventStamp(
                occurredAt: event.occurredAt,
                utcOffset: event.utcOffset,
                recordedAt: event.occurredAt,
                position: UInt64(index)
            )
            tracker.evolve(event.body, stamp: stamp, in: &context)
        }
        return context.steps
    }

    /// Returns what a tracker is doing at moments up to three hours after the last event.
    func liveStatuses(of tracker: Tracker) -> [LiveStatus] {
        guard let last = events.last?.event.occurredAt else { return [] }
        return ([0, 1, 60, 121, 600, 901, 2_700, 7_199, 7_200, 10_800] as [Int64])
            .map { seconds in
                var tracker = tracker
                var context = TrackingContext(events: self)
                let instant = last.advanced(byMilliseconds: seconds * 1_000)
                return tracker.advance(to: instant, in: &context)
            }
    }

    func facts(at position: UInt64) -> EventFacts {
        let found = events[Int(position)]
        return EventFacts(identity: found.order.identity, utcOffset: found.event.utcOffset)
    }
}
