import DriveSimulation
import LedgerTestSupport
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
