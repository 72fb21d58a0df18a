import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct ArmingTests {
    private let nowhere = Coordinate(latitude: 0.1, longitude: 4.4)

    @Test func `one bad fix before a real drive costs that fix only`() throws {
        let trip = try expectVerdicts(
            [FixRow(at: 0, coordinate: nowhere, verdict: .impossibleSpeed)]
                + (1...60).map { .fix(Double($0), north: 15 * Double($0), .accepted) }
        )
        expectMeters(trip.distance, 15 * 59)
        #expect(
            trip.start == (try FixRow.fix(1, north: 15, .accepted).fix(after: .zero)).coordinate
        )
    }

    @Test func `a bad second fix does not cost the first`() throws {
        let trip = try expectVerdicts([
            .fix(0, north: 0, .accepted),
            FixRow(at: 1, coordinate: nowhere, verdict: .impossibleSpeed),
            .fix(2, north: 30, .accepted),
            .fix(3, north: 45, .accepted),
        ])
        expectMeters(trip.distance, 45)
    }

    @Test func `three fixes that disagree are settled by the fourth`() throws {
        let trip = try expectVerdicts([
            FixRow(at: 0, coordinate: nowhere, verdict: .impossibleSpeed),
            .fix(1, north: 0, .accepted),
            .fix(2, north: 50_000, .impossibleSpeed),
            .fix(3, north: 30, .accepted),
        ])
        expectMeters(trip.distance, 30)
    }

    @Test func `a repeated fix confirms nothing`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        try drive.report(.fix(0, north: 0, .accepted))
        try drive.report(.fix(0, north: 0, .stale))
        #expect(drive.tracker.phase == .arming)
    }

    @Test func `a single fix is start and end`() throws {
        let trip = try expectVerdicts([.fix(3, north: 0, .accepted)])
        #expect(trip.status == .completed)
        #expect(trip.start == trip.end)
        #expect(trip.start?.latitude == 51.9)
        #expect(trip.distance == .zero)
    }

    @Test func `of two fixes that disagree the first is the position`() throws {
        let trip = try expectVerdicts([
            .fix(0, north: 0, .accepted), .fix(1, north: 9_000, .impossibleSpeed),
        ])
        #expect(trip.start?.latitude == 51.9)
        #expect(trip.end?.latitude == 51.9)
    }

    @Test func `the best of poor fixes gives an approximate start`() throws {
        let trip = try expectVerdicts([
            .fix(0, north: 0, accuracy: 90, .poorAccuracy),
            .fix(1, north: 10, accuracy: 60, .poorAccuracy),
            .fix(2, north: 20, accuracy: 70, .poorAccuracy),
            .fix(30, north: 400, accuracy: 55, .poorAccuracy),
            .fix(31, north: 500, accuracy: 10, .accepted),
            .fix(32, north: 515, accuracy: 10, .accepted),
        ])
        #expect(trip.flags == .approximateStart)
        #expect(trip.flags.names == ["approximate_start"])
        #expect(
            trip.start == (try FixRow.fix(1, north: 10, .accepted).fix(after: .zero)).coordinate
        )
        expectMeters(trip.distance, 15)
    }

    @Test func `a good fix within three seconds of a poor one is the start itself`() throws {
        let trip = try expectVerdicts([
            .fix(0, north: 0, accuracy: 90, .poorAccuracy),
            .fix(3, north: 45, accuracy: 10, .accepted),
            .fix(4, north: 60, accuracy: 10, .accepted),
        ])
        #expect(trip.flags.isEmpty)
        expectMeters(trip.distance, 15)
    }

    @Test func `poor fixes only give an approximate start and no end`() throws {
        let trip = try expectVerdicts([
            .fix(0, north: 0, accuracy: 90, .poorAccuracy),
            .fix(9, north: 0, accuracy: 60, .poorAccuracy),
        ])
        #expect(trip.status == .completed)
        #expect(trip.flags == .approximateStart)
        #expect(trip.start?.latitude == 51.9)
        #expect(trip.end == nil)
    }

    @Test func `a trip without any position is abandoned`() throws {
        let trip = try expectVerdicts([
            FixRow(
                at: 1,
                coordinate: Coordinate(latitude: 0, longitude: 0),
                verdict: .nullCoordinate
            )
        ])
        #expect(trip.status == .abandoned)
        #expect(trip.abandonReason == .noPosition)
        #expect(trip.start == nil)
    }
}

extension Timestamp {
    /// The beginning of the count of time.
    fileprivate static let zero = Timestamp(milliseconds: 0)
}
