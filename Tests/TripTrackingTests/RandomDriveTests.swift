import ProjectorTestSupport
import Testing
import TripEvents
import TripTracking

/// The drives that the laws are tested with hold everything that can happen.
@Suite struct RandomDriveTests {
    @Test func `random drives start and end in every way but by a decision`() throws {
        var starts: Set<TripCause> = []
        var ends: Set<TripCause> = []
        var flags: TripFlags = []
        for seed in 1...60 as ClosedRange<UInt64> {
            for source in ["phone", "logger"] {
                let events = try ProjectorLaws.randomDrives(seed: seed)
                    .filter { $0.source == source }
                for trip in try Replay(events, rules: TrackingRules(.v1, preset: .history)).ended {
                    starts.insert(trip.startedBy)
                    trip.endedBy.map { _ = ends.insert($0) }
                    flags.formUnion(trip.flags)
                }
            }
        }
        #expect(starts == [.press, .motion, .movement, .resumed])
        #expect(
            ends.isSuperset(of: [
                .press, .walking, .parked, .silence, .noMovement, .deviceOff, .forgottenStop,
            ])
        )
        #expect(flags == .all)
    }
}
