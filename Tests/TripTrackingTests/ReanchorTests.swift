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

    @Test func `five seconds of impossible fixes that agree re-anchor the trip`() throws {
        let trip = try expectVerdicts(
            beginning
                + farAway([.afterGap, .accepted, .accepted, .accepted, .accepted, .accepted])
        )
        expectMeters(trip.distance, 15 + 75)
        #expect(trip.gaps.count == 1)
        #expect(trip.gaps.milliseconds == 1_000)
        #expect(abs(trip.gaps.distance.meters - 99_985) < 30)
    }

    @Test func `four seconds are not enough`() throws {
        let five = [Verdict](repeating: .impossibleSpeed, count: 5)
        let trip = try expectVerdicts(beginning + farAway(five))
        expectMeters(trip.distance, 15)
        #expect(trip.gaps == GapTotal())
    }

    @Test func `four fixes are not enough, however long they span`() throws {
        try expectVerdicts(
            beginning
                + (0..<4).map { .fix(2 + 3 * Double($0), north: 100_000, .impossibleSpeed) }
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
        let six: [Verdict] = [.afterGap, .accepted, .accepted, .accepted, .accepted, .accepted]
        try expectVerdicts(
            beginning + farAway(three) + [.fix(5, north: 50_000, .impossibleSpeed)]
                + farAway(six, from: 6)
        )
    }

    @Test func `a poor or repeated fix does not end the run`() throws {
        var rows = farAway([.afterGap, .accepted, .accepted, .accepted, .accepted, .accepted])
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
                .fix(7, north: 100_001, speed: 0, .jitter),
            ]
        )
    }
}
