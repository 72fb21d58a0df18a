import DriveSimulation
import Geodesy
import TestSupport
import Testing
import TripEvents
import TripTracking

/// The trips of every named scenario by the rules.
@Suite struct ScenarioTrackingTests {
    /// The trip of a scenario; distances are Vincenty's, by another program.
    struct Expected: CustomTestStringConvertible, Sendable {
        var scenario: Scenario
        var status = TripStatus.completed
        var reason: AbandonReason?
        var startedBy = TripCause.press
        var endedBy: TripCause? = .press
        var flags: TripFlags = []
        var seconds: Int64 = 305
        var meters = 8_629.7
        var tolerance = 0.1
        var gapMeters = 0.0
        var phase = TrackerPhase.details

        var testDescription: String { scenario.rawValue }
    }

    static let expected = [
        Expected(scenario: .homeToOffice),
        Expected(
            scenario: .stationary,
            status: .abandoned,
            reason: .falseStart,
            startedBy: .motion,
            endedBy: .walking,
            seconds: 60,
            meters: 0,
            phase: .idle
        ),
        Expected(scenario: .skipLocation, seconds: 365),
        Expected(scenario: .tunnel, seconds: 545, meters: 6_539.6, gapMeters: 2_090.1),
        Expected(scenario: .trafficJam, seconds: 1_505, meters: 8_632, tolerance: 8),
        Expected(scenario: .parkedDrift),
        Expected(
            scenario: .batteryDeath,
            flags: .recovered,
            seconds: 1_505,
            meters: 6_539.6,
            gapMeters: 2_090.1
        ),
        Expected(
            scenario: .forgottenStop,
            endedBy: .noMovement,
            flags: .autoStopped,
            seconds: 300
        ),
        Expected(scenario: .doubleGo),
        Expected(scenario: .walkingAway, startedBy: .motion, endedBy: .walking, seconds: 300),
        Expected(scenario: .lateUpload),
        Expected(scenario: .shuffledUpload),
        Expected(scenario: .clockJump, meters: 8_629.4),
    ]

    @Test func `every scenario is in the table but the one without a trip`() {
        let scenarios = Set(Self.expected.map(\.scenario))
        #expect(Set(Scenario.allCases).subtracting(scenarios) == [.lowConfidenceMotion])
    }

    @Test(arguments: expected)
    func `a scenario gives its trip`(expected: Expected) throws {
        var replay = try Replay(DriveSimulator.events(of: expected.scenario))
        _ = replay.advance(bySeconds: 60)
        #expect(replay.ended.count == 1)
        #expect(replay.steps.count == 2)
        let trip = try #require(replay.ended.first)
        #expect(trip.status == expected.status)
        #expect(trip.abandonReason == expected.reason)
        #expect(trip.startedBy == expected.startedBy)
        #expect(trip.endedBy == expected.endedBy)
        #expect(trip.flags == expected.flags)
        #expect(trip.startedAt.timestamp == DriveSimulator.scenarioStart)
        #expect(
            trip.startedAt.timestamp.advanced(byMilliseconds: expected.seconds * 1_000)
                == trip.endedAt?.timestamp
        )
        #expect(abs(trip.distance.meters - expected.meters) <= expected.tolerance)
        #expect(abs(trip.gaps.distance.meters - expected.gapMeters) <= 0.1)
        #expect(replay.tracker.phase == expected.phase)
    }

    @Test func `a motion that is not sure starts nothing`() throws {
        let replay = try Replay(DriveSimulator.events(of: .lowConfidenceMotion))
        #expect(replay.steps.isEmpty)
        #expect(replay.tracker.phase == .idle)
    }

    @Test(arguments: Scenario.allCases, TrackingPreset.allCases)
    func `shuffled, doubled, killed at each event and watched, the trips are the same`(
        scenario: Scenario,
        preset: TrackingPreset
    ) throws {
        let rules = TrackingRules(.v1, preset: preset)
        for seed in Seeds.fresh(3) {
            var random = SplitMix64(seed: seed)
            let events = DriveSimulator.events(of: scenario, seed: seed)
            let expected = try Replay(events, rules: rules)
            let again = [
                "shuffled": try Replay(events.shuffled(using: &random), rules: rules),
                "doubled": try Replay(events + events.reversed(), rules: rules),
                "killed": try Replay(events, rules: rules, isKilled: true),
                "watched": try Replay(events, rules: rules, clock: random.next()),
            ]
            for (name, other) in again {
                #expect(other.steps == expected.steps, "seed \(seed): \(name)")
                #expect(other.tracker.openTrip == expected.tracker.openTrip, "seed \(seed)")
                if name != "watched" {
                    #expect(other.tracker == expected.tracker, "seed \(seed): \(name)")
                }
            }
        }
    }

    @Test(arguments: Scenario.allCases)
    func `the live distance never falls, and the live trip ends with the trip`(
        scenario: Scenario
    ) throws {
        let events = DriveSimulator.events(of: scenario)
        var distance = Distance.zero
        for count in events.indices where scenario != .shuffledUpload && scenario != .lateUpload {
            var replay = try Replay(Array(events[...count]))
            let status = replay.advance(bySeconds: 0)
            #expect((status.trip == nil) == (replay.tracker.openTrip == nil))
            if let trip = status.trip {
                #expect(trip.distance >= distance)
                distance = trip.distance
            }
        }
    }
}
