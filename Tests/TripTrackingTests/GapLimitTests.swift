import Testing
import TripEvents

@testable import TripTracking

@Suite struct GapLimitTests {
    /// Intervals in milliseconds, and the limit that follows.
    private static let limits: [([Int64], Int64)] = [
        ([], 120_000),
        ([1_000, 1_000, 1_000], 120_000),
        ([1_000, 1_000, 1_000, 1_000], 30_000),
        ([32_000, 32_000, 32_000, 32_000], 128_000),
        ([10_000, 10_000, 20_000, 20_000], 60_000),
        ([600_000, 600_000, 600_000, 600_000], 900_000),
        // The latest sixteen count.
        ([9_000_000] + [Int64](repeating: 10_000, count: 16), 40_000),
        // A tunnel among them changes nothing.
        ([Int64](repeating: 1_000, count: 15) + [9_000_000], 30_000),
    ]

    @Test(arguments: limits)
    func `the limit is four median intervals, between 30 s and 15 min`(
        intervals: [Int64],
        milliseconds: Int64
    ) {
        let limit = GapLimit(intervals: intervals)
        #expect(limit.milliseconds(rules: .v1) == milliseconds)
        #expect(limit.isExceeded(by: milliseconds + 1, rules: .v1))
        #expect(!limit.isExceeded(by: milliseconds, rules: .v1))
    }

    @Test func `the latest sixteen intervals are known, oldest first`() {
        var limit = GapLimit()
        for interval in Int64(1)...100 {
            limit.record(interval)
            let oldest = max(1, interval - 15)
            #expect(limit.intervals == Array(oldest...interval))
            #expect(GapLimit(intervals: limit.intervals) == limit)
        }
    }

    @Test func `a drive logged every 32 seconds has no gaps`() throws {
        let rows = (0...50).map { FixRow.fix(32 * Double($0), north: 500 * Double($0), .accepted) }
        let trip = try expectVerdicts(rows)
        expectMeters(trip.distance, 25_000)
    }

    @Test
    func `a one-second receiver's tunnel is a gap, a logger's interval is known for the next`()
        throws
    {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        for step in 0...10 {
            try drive.report(.fix(60 * Double(step), north: 900 * Double(step), .accepted))
        }
        drive.press(.stopPressed(StopPressed()), at: 600)
        drive.press(.goPressed(GoPressed()), at: 1_000)
        try drive.report(.fix(1_000, north: 9_000, .accepted))
        try drive.report(.fix(1_200, north: 9_900, .accepted))
        drive.press(.stopPressed(StopPressed()), at: 1_200)
        // 200 s would be a gap for a source whose interval is unknown.
        #expect(drive.ended.map(\.gaps.count) == [0, 0])
    }
}
