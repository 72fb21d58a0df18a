import DriveSimulation
import Geodesy
import TestSupport
import Testing
import TripEvents
import TripTracking

@Suite struct ParkedPhoneTests {
    /// Returns 34 hours of a parked phone that reports every ten seconds and drifts as real ones
    /// do, and how many metres a raw sum makes of an hour of that.
    private func drift(seed: UInt64) throws -> (events: [TripEvent], metersPerHour: Double) {
        var random = SplitMix64(seed: seed)
        var offset = 0.0
        var meters = 0.0
        let events = try (0..<34 * 360)
            .map { step -> TripEvent in
                let next = 0.985 * offset + Double.random(in: -0.8...0.8, using: &random)
                meters += abs(next - offset)
                offset = next
                let latitude = 519_270_000 + Int64(offset * 90)
                return TripEvent(
                    source: "phone",
                    occurredAt: Drive.start.advanced(byMilliseconds: Int64(step) * 10_000),
                    body: .fixRecorded(
                        FixRecorded(
                            latitude: try decimal(latitude, 7),
                            longitude: try decimal(43_620_000, 7),
                            accuracy: try decimal(12, 0)
                        )
                    )
                )
            }
        return (events, meters / 34)
    }

    private func decimal(_ significand: Int64, _ decimals: Int) throws -> ExactDecimal {
        try #require(ExactDecimal(significand: significand, decimals: decimals))
    }

    @Test(arguments: TrackingPreset.allCases, Seeds.fresh(2))
    func `34 hours of drift are no distance`(preset: TrackingPreset, seed: UInt64) throws {
        let (events, metersPerHour) = try drift(seed: seed)
        #expect((116...178).contains(metersPerHour), "seed \(seed): \(metersPerHour) m/h raw")
        let replay = try Replay(events, rules: TrackingRules(.v1, preset: preset))
        #expect(replay.steps.isEmpty, "seed \(seed)")
        #expect(replay.tracker.openTrip == nil, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `a false start amid the drift is no distance either`(seed: UInt64) throws {
        var (events, _) = try drift(seed: seed)
        let motion = MotionChanged(state: .automotive, confidence: .high)
        for hour in [3, 11, 27] as [Int64] {
            events.append(
                TripEvent(
                    source: "phone",
                    occurredAt: Drive.start.advanced(byMilliseconds: hour * 3_600_000),
                    body: .motionChanged(motion)
                )
            )
        }
        let replay = try Replay(events)
        #expect(replay.ended.count == 3, "seed \(seed)")
        #expect(replay.completed.isEmpty, "seed \(seed)")
        #expect(replay.ended.allSatisfy { $0.abandonReason == .falseStart }, "seed \(seed)")
    }
}
