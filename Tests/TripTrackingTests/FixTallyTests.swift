import DriveSimulation
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// No fix is lost from sight: each is counted by one trip, or as one in no trip.
@Suite struct FixTallyTests {
    @Test(arguments: Seeds.fresh(8), TrackingPreset.allCases)
    func `every fix is in one trip or in none`(seed: UInt64, preset: TrackingPreset) throws {
        let rules = TrackingRules(.v1, preset: preset)
        let random = try ProjectorLaws.randomDrives(seed: seed).filter { $0.source == "phone" }
        let drives = Array(DriveSimulator.drives(seed: seed, count: 2, fixesPerDrive: 60...200))
        for events in [random, drives] {
            let replay = try Replay(events, rules: rules)
            let taken = Replay.inOrder(events)
                .count { event in
                    guard case .fixRecorded(let reading) = event.body else { return false }
                    return reading.fix(occurredAt: event.occurredAt) != nil
                }
            let trips = replay.ended + [replay.tracker.openTrip].compactMap(\.self)
            let inTrips = trips.reduce(0) { $0 + $1.fixes.total }
            let inNone = replay.tracker.fixesInNoTrip
            #expect(inNone >= 0, "seed \(seed), \(preset)")
            #expect(inTrips + inNone == Int64(taken), "seed \(seed), \(preset)")
            #expect(replay.tracker.hasNoTrip == trips.isEmpty, "seed \(seed), \(preset)")
        }
    }

    @Test func `what lies before GO and after STOP is in no trip`() throws {
        var drive = Drive()
        try drive.drive(from: 0, seconds: 0...4)
        drive.press(.goPressed(GoPressed()), at: 4.5)
        let end = try drive.drive(from: 75, seconds: 5...24)
        drive.press(.stopPressed(StopPressed()), at: 24.5)
        try drive.drive(from: end, seconds: 25...27)
        #expect(drive.tracker.fixesInNoTrip == 8)
        #expect(drive.ended.map(\.fixes.total) == [20])
    }
}
