import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct ReanchorTests {
    private let beginning: [FixRow] = [
        .fix(0, north: 0, .accepted),
        .fix(1, north: 15, .accepted),
    ]

    /// Fixes at 15 m/s from 100 km away, one each second, with the verdicts that they must get.
    private func farAway(_ verdicts: [Verdict], from second: Int = 2) -> [FixRow] {
        verdicts.enumerated()
            .map { index, verdict in
                .fix(Double(second + index), north: 100_000 + 15 * Double(index), verdict)
            }
    }

    /// The verdicts of a run that spans fifteen seconds, once it has moved the anchor.
    private let agreeing = [.afterGap] + [Verdict](repeating: .accepted, count: 15)

    @Test func `fifteen seconds of impossible fixes that agree re-anchor the trip`() throws {
        let trip = try expectVerdicts(beginning + farAway(agreeing))
        expectMeters(trip.distance, 15 + 15 * 15)
        #expect(trip.gaps.count == 1)
        #expect(trip.gaps.milliseconds == 1_000)
        #expect(abs(trip.gaps.distance.meters - 99_985) < 30)
    }

    @Test func `fourteen seconds are not enough`() throws {
        let fifteen = [Verdict](repeating: .impossibleSpeed, count: 15)
        let trip = try expectVerdicts(beginning + farAway(fifteen))
        expectMeters(trip.distance, 15)
        #expect(trip.gaps == GapTotal())
    }

    @Test func `four fixes are not enough, however long they span`() throws {
        try expectVerdicts(
            beginning
                + (0..<4).map { .fix(2 + 8 * Double($0), north: 100_000, .impossibleSpeed) }
        )
    }

    @Test func `a kept fix ends the run`() throws {
        let three = [Verdict](repeating: .impossibleSpeed, count: 3)
        try expectVerdicts(
            beginning + farAway(three) + [.fix(5, north: 75, .accepted)]
                + farAway(three, from: 6)
        )
    }

    @Test func `a fix that does not agree begins the run anew`() throws {
        let three = [Verdict](repeating: .impossibleSpeed, count: 3)
        try expectVerdicts(
            beginning + farAway(three) + [.fix(5, north: 50_000, .impossibleSpeed)]
                + farAway(agreeing, from: 6)
        )
    }

    @Test func `a poor or repeated fix does not end the run`() throws {
        var rows = farAway(agreeing)
        rows.insert(.fix(3.5, north: 0, accuracy: 80, .poorAccuracy), at: 2)
        rows.insert(.fix(3, north: 70_000, .stale), at: 2)
        try expectVerdicts(beginning + rows)
    }

    @Test func `a halt in the run is jitter by the usual rules`() throws {
        try expectVerdicts(
            beginning + [
                .fix(2, north: 100_000, speed: 0, .afterGap),
                .fix(3, north: 100_001, speed: 0, .jitter),
                .fix(4, north: 100_002, speed: 0, .jitter),
                .fix(5, north: 100_001, speed: 0, .jitter),
                .fix(17, north: 100_001, speed: 0, .jitter),
            ]
        )
    }
}
