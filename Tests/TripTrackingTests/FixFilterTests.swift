import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct FixFilterTests {
    /// Two fixes that start any trip.
    private let beginning: [FixRow] = [
        .fix(0, north: 0, .accepted),
        .fix(1, north: 15, .accepted),
    ]

    @Test func `a trip of good fixes is as long as the way`() throws {
        let trip = try expectVerdicts(
            beginning + [.fix(2, north: 30, .accepted), .fix(3, north: 45, .accepted)]
        )
        expectMeters(trip.distance, 45)
        #expect(trip.gaps == GapTotal())
        #expect(trip.flags.isEmpty)
    }

    @Test func `rule 1: made-up fixes and half-zero coordinates are ignored`() throws {
        let trip = try expectVerdicts(
            beginning + [
                FixRow(at: 2, north: 30, isMock: true, verdict: .mock),
                FixRow(
                    at: 3,
                    coordinate: Coordinate(latitude: 0, longitude: 4.4),
                    verdict: .nullCoordinate
                ),
                FixRow(
                    at: 4,
                    coordinate: Coordinate(latitude: 51.9, longitude: 0),
                    verdict: .nullCoordinate
                ),
                FixRow(
                    at: 5,
                    coordinate: Coordinate(latitude: 0, longitude: 0),
                    verdict: .nullCoordinate
                ),
                FixRow(
                    at: 6,
                    isMock: true,
                    coordinate: Coordinate(latitude: 0, longitude: 0),
                    verdict: .mock
                ),
                .fix(7, north: 90, .accepted),
            ]
        )
        expectMeters(trip.distance, 90)
    }

    @Test func `rule 2: a fix with more than 50 m accuracy is ignored, unknown accuracy is not`()
        throws
    {
        try expectVerdicts(
            beginning + [
                .fix(2, north: 30, accuracy: 50.1, .poorAccuracy),
                .fix(3, north: 45, accuracy: 50, .accepted),
                .fix(4, north: 60, accuracy: -1, .accepted),
                .fix(5, north: 75, accuracy: nil, .accepted),
            ]
        )
    }

    @Test func `rules 1 and 2 come before rules 3 and 4`() throws {
        try expectVerdicts(
            beginning + [
                .fix(1, north: 15, accuracy: 80, .poorAccuracy),
                .fix(2, north: 9_000, accuracy: 80, .poorAccuracy),
                FixRow(
                    at: 2,
                    accuracy: 80,
                    coordinate: Coordinate(latitude: 0, longitude: 4.4),
                    verdict: .nullCoordinate
                ),
            ]
        )
    }

    @Test func `rule 3: a fix not later than the last kept one is stale, however far it is`() throws
    {
        try expectVerdicts(
            beginning + [
                .fix(1, north: 15, .stale),
                .fix(1, north: 9_000, .stale),
                .fix(2, north: 30, .accepted),
            ]
        )
    }

    @Test func `rule 4: more than 60 m/s from the last kept fix is impossible`() throws {
        let trip = try expectVerdicts(
            beginning + [
                .fix(2, north: 76, .impossibleSpeed),
                .fix(3, north: 134, .accepted),
            ]
        )
        expectMeters(trip.distance, 134)
    }

    @Test func `rule 4: a fix held for seconds and then jumping keeps the total`() throws {
        // A receiver that holds its position for five seconds: the jump alone is impossible, and
        // the next fix is plausible again because it is compared with the last kept one.
        let trip = try expectVerdicts(
            beginning + [
                .fix(2, north: 15, speed: 15, .accepted),
                .fix(3, north: 15, speed: 15, .accepted),
                .fix(4, north: 15, speed: 15, .accepted),
                .fix(5, north: 90, speed: 15, .impossibleSpeed),
                .fix(6, north: 90, speed: 15, .accepted),
                .fix(7, north: 105, speed: 15, .accepted),
            ]
        )
        expectMeters(trip.distance, 105)
    }

    @Test func `rule 5: near and slow is jitter, near and fast or far and slow is not`() throws {
        try expectVerdicts(
            beginning + [
                .fix(2, north: 19, speed: 0.9, .jitter),
                .fix(3, north: 11, speed: 0, .jitter),
                .fix(4, north: 19, speed: 1, .accepted),
                .fix(5, north: 25, speed: 0.5, .accepted),
            ]
        )
    }

    @Test func `rule 5: an unknown or implausible speed is replaced by the implied one`() throws {
        try expectVerdicts(
            beginning + [
                .fix(2, north: 15.5, .jitter),
                .fix(3, north: 17.5, .accepted),
                .fix(4, north: 18, speed: -1, .jitter),
                .fix(5, north: 18.5, speed: 61, .jitter),
                .fix(6, north: 20.5, speed: 61, .accepted),
            ]
        )
    }

    @Test func `rule 5: the anchor holds, so that slow real movement adds up`() throws {
        // 0.6 m/s for a minute: each step is jitter until the anchor is 5 m behind.
        let rows = (2...61)
            .map { second -> FixRow in
                let north = 15 + 0.6 * Double(second - 1)
                let isFarEnough = (second - 1) % 9 == 0
                return .fix(
                    Double(second),
                    north: north,
                    speed: 0.6,
                    isFarEnough ? .accepted : .jitter
                )
            }
        let trip = try expectVerdicts(beginning + rows)
        expectMeters(trip.distance, 15 + 0.6 * 54)
    }

    @Test func `rule 5 comes before rule 6: a long halt in one place is no gap`() throws {
        let trip = try expectVerdicts(beginning + [.fix(600, north: 16, .jitter)])
        #expect(trip.gaps == GapTotal())
    }

    @Test func `rule 6: no distance is counted over a gap`() throws {
        let trip = try expectVerdicts(
            beginning + [
                .fix(2, north: 30, .accepted),
                .fix(3, north: 45, .accepted),
                .fix(4, north: 60, .accepted),
                .fix(80, north: 1_060, .afterGap),
                .fix(81, north: 1_075, .accepted),
            ]
        )
        expectMeters(trip.distance, 75)
        #expect(trip.gaps.count == 1)
        #expect(trip.gaps.milliseconds == 76_000)
        expectMeters(trip.gaps.distance, 1_000)
    }

    @Test func `rule 6: the first fix after a gap must itself be possible`() throws {
        try expectVerdicts(
            beginning + [
                .fix(2, north: 30, .accepted),
                .fix(3, north: 45, .accepted),
                .fix(4, north: 60, .accepted),
                .fix(44, north: 9_000, .impossibleSpeed),
                .fix(45, north: 500, accuracy: 51, .poorAccuracy),
                .fix(46, north: 500, .afterGap),
            ]
        )
    }
}
