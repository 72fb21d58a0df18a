import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct AutomaticStartTests {
    private let history = TrackingRules(.v1, preset: .history)

    @Test func `the motion sensor starts a trip if it is sure enough and may`() {
        var without = TrackingRules.v1
        without.startsByMotion = false
        let cases: [(TrackingRules, MotionState, MotionConfidence, Bool)] = [
            (.v1, .automotive, .high, true), (.v1, .automotive, .medium, true),
            (.v1, .automotive, .low, false), (.v1, .cycling, .high, false),
            (.v1, .walking, .high, false), (.v1, .unknown, .high, false),
            (history, .automotive, .medium, true), (without, .automotive, .high, false),
        ]
        for (rules, state, confidence, starts) in cases {
            var drive = Drive(rules: rules)
            drive.sense(state, confidence, at: 5)
            #expect((drive.tracker.openTrip != nil) == starts, "\(state) \(confidence)")
            if let trip = drive.tracker.openTrip {
                #expect(trip.startedBy == .motion)
                #expect(trip.id == TripID(openedBy: IdentityDigest(words: [0, 0, 0, 0])))
                #expect(trip.startedAt.timestamp.milliseconds(since: Drive.start) == 5_000)
            }
        }
    }

    @Test func `movement starts a trip at the last fix before it`() throws {
        var drive = Drive(rules: history)
        for second in 0..<90 {
            try drive.report(.fix(Double(second), north: Double(second % 3), .accepted))
        }
        #expect(drive.steps.isEmpty)
        try drive.drive(from: 12, seconds: 90...99)
        let trip = try #require(drive.tracker.openTrip)
        #expect(trip.startedBy == .movement)
        #expect(trip.startedAt.timestamp.milliseconds(since: Drive.start) == 89_000)
        #expect(trip.id == TripID(openedBy: IdentityDigest(words: [89, 0, 0, 0])))
        expectMeters(trip.distance, 12 + 9 * 15 - 2)
        #expect(drive.verdicts.map(\.position) == Array(89...99))
    }

    @Test func `a phone does not start by movement`() throws {
        var drive = Drive()
        try drive.drive(from: 0, seconds: 0...120)
        #expect(drive.steps.isEmpty)
    }

    @Test func `neither a walk nor a leap is a movement that starts a trip`() throws {
        for metersPerSecond in [2.4, 61] {
            var drive = Drive(rules: history)
            try drive.drive(from: 0, seconds: 0...300, metersPerSecond: metersPerSecond)
            #expect(drive.steps.isEmpty, "\(metersPerSecond) m/s")
        }
    }

    @Test func `unusable fixes start nothing`() throws {
        var drive = Drive(rules: history)
        for second in 0..<100 {
            let north = 15 * Double(second)
            try drive.report(.fix(Double(second), north: north, accuracy: 101, .poorAccuracy))
        }
        #expect(drive.steps.isEmpty)
    }

    @Test func `fixes as coarse as the source's always are count`() throws {
        var drive = Drive(rules: history)
        for second in stride(from: 0.0, to: 900, by: 6) {
            try drive.report(.fix(second, north: 15 * second, accuracy: 65, .accepted))
        }
        let trip = try #require(drive.tracker.openTrip)
        #expect(trip.distance.meters > 11_000)
    }

    @Test func `one outlier starts nothing, and neither do two`() throws {
        for outliers in 1...2 {
            var drive = Drive(rules: history)
            for step in 0..<20 {
                let isOutlier = (8..<8 + outliers).contains(step)
                let fix = FixRow.fix(30 * Double(step), north: isOutlier ? 500 : 0, .accepted)
                try drive.report(fix)
            }
            _ = drive.advance(to: 7_200)
            #expect(!drive.ended.contains { $0.status == .completed }, "\(outliers)")
        }
    }

    @Test(arguments: [60, 90, 300, 600] as [Double])
    func `a slow recorder's window is one and a half intervals`(interval: Double) throws {
        var drive = Drive(rules: history)
        for step in 0..<6 {
            try drive.report(.fix(interval * Double(step), north: 0, .accepted))
        }
        #expect(drive.steps.isEmpty)
        for step in 6..<10 {
            let north = 10 * interval * Double(step - 5)
            try drive.report(.fix(interval * Double(step), north: north, .accepted))
        }
        let trip = try #require(drive.tracker.openTrip)
        #expect(
            trip.startedAt.timestamp.milliseconds(since: Drive.start) == Int64(5_000 * interval)
        )
        #expect(trip.samplingMilliseconds == Int64(1_000 * interval))
    }

    @Test func `the memory between trips is bounded, however many fixes there are`() throws {
        var drive = Drive(rules: history)
        for step in 0..<5_000 {
            try drive.report(.fix(0.05 * Double(step), north: 0, .accepted))
        }
        #expect(drive.tracker.encode().count < 6_000)
    }
}
