import DriveSimulation
import Geodesy
import RowCoding
import TestSupport
import Testing
import TripEvents

@testable import TripTracking

@Suite struct TrackerCodingTests {
    /// Trackers in every phase, with everything undecided that can be.
    private func trackers() throws -> [Tracker] {
        var drive = Drive(source: "Jörg’s phone")
        var trackers = [drive.tracker]
        let presses: [(Double, EventBody)] = [
            (0, .goPressed(GoPressed(vehicle: "van"))), (20, .stopPressed(StopPressed())),
        ]
        let rows: [FixRow] = [
            .fix(1, north: 0, accuracy: 80, speed: 3, .poorAccuracy),
            .fix(5, north: 0, accuracy: 8, speed: 3, .impossibleSpeed),
            .fix(6, north: 9_000, .impossibleSpeed),
            .fix(7, north: 30_000, .accepted),
            .fix(8, north: 30_010, .accepted),
            .fix(9, north: 30_011, speed: 0, .jitter),
            .fix(10, north: 70_000, .impossibleSpeed),
            .fix(11, north: 70_000, accuracy: 3, speed: 1, .impossibleSpeed),
        ]
        drive.press(presses[0].1, at: presses[0].0)
        trackers.append(drive.tracker)
        for row in rows {
            try drive.report(row)
            trackers.append(drive.tracker)
        }
        drive.press(presses[1].1, at: presses[1].0)
        return trackers + [drive.tracker] + (try dividedTrackers())
    }

    /// Trackers of a trip that is split: before it starts, while the split waits, and after it.
    private func dividedTrackers() throws -> [Tracker] {
        var drive = Drive(source: "split")
        var trackers: [Tracker] = []
        func take(_ split: StandingSplit) {
            var context = TrackingContext(events: NumberedEvents())
            drive.tracker.take(split, in: &context)
            trackers.append(drive.tracker)
        }
        let trip = TripID(openedBy: NumberedEvents().facts(at: 0).identity)
        let part = TripID(high: 1, low: 1)
        let at = Drive.start.advanced(byMilliseconds: 3_500)
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 0)
        for second in 1...3 {
            try drive.report(.fix(Double(second), north: 15 * Double(second), .accepted))
        }
        take(
            StandingSplit(
                trip: trip,
                made: part,
                at: at,
                order: EventOrder(
                    occurredAt: at,
                    kind: .tripSplit,
                    sequence: 7,
                    identity: NumberedEvents().facts(at: 9).identity
                ),
                recordedAt: Drive.start
            )
        )
        try drive.report(.fix(4, north: 46, speed: 0, .jitter))
        trackers.append(drive.tracker)
        try drive.report(.fix(5, north: 75, .accepted))
        #expect(drive.ended.map(\.endedBy) == [.split])
        return trackers + [drive.tracker]
    }

    @Test func `an active-trip checkpoint is the tracker`() throws {
        let trackers = try trackers()
        #expect(Set(trackers).count == trackers.count)
        for tracker in trackers {
            #expect(try Tracker(decoding: tracker.encode()) == tracker)
        }
    }

    @Test func `other rules are kept in the active-trip checkpoint`() throws {
        var rules = TrackingRules.v1
        rules.maximumAccuracyMeters = 20
        rules.reanchorFixes = 9
        let tracker = Tracker(source: "phone", rules: rules)
        #expect(try Tracker(decoding: tracker.encode()).rules == rules)
    }

    @Test func `an active-trip checkpoint that was cut off or lengthened is refused`() throws {
        for tracker in try trackers() {
            let bytes = tracker.encode()
            for length in 0..<bytes.count {
                #expect(throws: RowCodingError.truncated) {
                    try Tracker(decoding: Array(bytes.prefix(length)))
                }
            }
            #expect(throws: RowCodingError.trailingBytes) { try Tracker(decoding: bytes + [0]) }
        }
    }

    @Test func `an active-trip checkpoint of another version is refused`() throws {
        var bytes = Tracker(source: "phone", rules: .v1).encode()
        bytes[0] = 200
        #expect(throws: RowCodingError.unknownVersion(200)) { try Tracker(decoding: bytes) }
    }

    @Test(arguments: Seeds.fresh(50))
    func `a damaged active-trip checkpoint is refused or harmless, never a crash`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for tracker in try trackers() {
            var bytes = tracker.encode()
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            guard var damaged = try? Tracker(decoding: bytes) else { continue }
            // Zero with a sign is the same number.
            #expect(
                damaged != tracker || bytes[index] == 0x80,
                "seed \(seed): byte \(index) means nothing"
            )
            var context = TrackingContext(events: NumberedEvents())
            let later = Drive.start.advanced(byMilliseconds: 86_400_000)
            for second in 0..<20 as Range<Int64> {
                let occurredAt = later.advanced(byMilliseconds: second * 1_000)
                let row = FixRow.fix(Double(second), north: 15 * Double(second), .accepted)
                damaged.evolve(
                    fix: try row.fix(after: later),
                    stamp: EventStamp(
                        occurredAt: occurredAt,
                        recordedAt: occurredAt,
                        position: UInt64(second)
                    ),
                    in: &context
                )
                let trip = damaged.openTrip
                #expect((trip == nil) == !damaged.isOpen, "seed \(seed): byte \(index)")
            }
        }
    }
}
