import Geodesy
import Testing
import TripEvents
import TripTracking

/// Whether the fixes of a source can carry a distance.
@Suite struct RecordingQualityTests {
    /// Fixes of a drive north, one every so many seconds.
    private static func drive(
        every seconds: Int64,
        at metersPerSecond: Double = 14,
        accuracy: Double? = 6,
        count: Int64 = 40
    ) -> [Fix] {
        (0..<count)
            .compactMap { index in
                let north = Double(index * seconds) * metersPerSecond
                return Coordinate(latitude: 52 + north / 111_000, longitude: 4)
                    .map { place in
                        Fix(
                            occurredAt: Timestamp(
                                milliseconds: 1_700_000_000_000 + index * seconds * 1_000
                            ),
                            coordinate: place,
                            accuracyMeters: accuracy
                        )
                    }
            }
    }

    @Test(arguments: [
        (1, RecordingQuality.Verdict.good), (5, .good), (20, .good), (60, .sparse), (300, .sparse),
    ])
    func `fixes that are too far apart carry no distance`(
        interval: Int,
        verdict: RecordingQuality.Verdict
    ) {
        let seconds = Int64(interval)
        let quality = RecordingQuality(Self.drive(every: seconds))
        #expect(quality.verdict == verdict)
        #expect(quality.milliseconds == seconds * 1_000)
        let meters = (quality.distance?.millimeters ?? 0) / 1_000
        #expect(abs(meters - seconds * 14) <= seconds)
        #expect(quality.accuracyMeters == 6 && quality.coarsePercent == 0)
    }

    @Test func `the order in which fixes came changes nothing`() {
        let drive = Self.drive(every: 5)
        #expect(RecordingQuality(drive.reversed()) == RecordingQuality(drive))
    }

    @Test func `most fixes coarse is coarse, however dense`() {
        let quality = RecordingQuality(Self.drive(every: 1, accuracy: 200))
        #expect(quality.verdict == .coarse && quality.coarsePercent == 100)
    }

    @Test(arguments: [5, 40] as [Int64])
    func `two phones in one source are never good, and their jumps are no way`(count: Int64) {
        let anna = Self.drive(every: 10, count: count)
        let bob = anna.compactMap { fix in
            Coordinate(latitude: fix.coordinate.latitude + 0.2, longitude: 4.6)
                .map { place in
                    Fix(
                        occurredAt: fix.occurredAt.advanced(byMilliseconds: 5_000),
                        coordinate: place,
                        accuracyMeters: 6
                    )
                }
        }
        let both = RecordingQuality(anna + bob)
        #expect(both.verdict == .jumping && both.distance == nil)
        #expect(RecordingQuality(anna).verdict != .jumping)
        // A receiver that jumps now and then still records well.
        if count > 5 {
            let spiked = RecordingQuality(anna + bob.prefix(3))
            #expect(spiked.verdict == .good)
        }
    }

    @Test func `a phone that lies still tells nothing`() {
        for fixes in [[], Self.drive(every: 5, count: 3), Self.drive(every: 5, at: 0.5)] {
            let quality = RecordingQuality(fixes)
            #expect(quality.verdict == .unknown && quality.fixes == fixes.count)
        }
        #expect(RecordingQuality(Self.drive(every: 5, at: 0)).distance == nil)
    }
}
