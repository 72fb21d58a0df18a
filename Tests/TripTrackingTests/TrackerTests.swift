import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct TrackerTests {
    @Test func `GO opens a trip and STOP ends it`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 0, recordedAfter: 9)
        guard case .opened(let opened) = try #require(drive.steps.first) else {
            Issue.record("no trip was opened")
            return
        }
        #expect(opened.status == .active)
        #expect(opened.vehicle == "van")
        #expect(opened.source == "phone")
        #expect(opened.id == TripID(openedBy: IdentityDigest(words: [0, 0, 0, 0])))
        #expect(opened.endedAt == nil)
        try drive.report(.fix(1, north: 0, .accepted))
        try drive.report(.fix(2, north: 15, .accepted))
        drive.press(.stopPressed(StopPressed()), at: 10, recordedAfter: 90)

        #expect(drive.steps.count == 2)
        let trip = try #require(drive.ended.first)
        #expect(trip.id == opened.id)
        #expect(trip.status == .completed)
        #expect(trip.startedBy == .press)
        #expect(trip.endedBy == .press)
        #expect(trip.startedAt.timestamp == Drive.start)
        #expect(trip.endedAt?.timestamp == Drive.start.advanced(byMilliseconds: 10_000))
        #expect(trip.recorded.firstAt == Drive.start.advanced(byMilliseconds: 1_000))
        #expect(trip.recorded.lastAt == Drive.start.advanced(byMilliseconds: 100_000))
        #expect(drive.tracker.openTrip == nil)
    }

    @Test func `a second GO and a stray STOP change nothing`() throws {
        var drive = Drive()
        drive.press(.stopPressed(StopPressed(vehicle: "bike")), at: -5)
        #expect(drive.tracker.phase == .idle)
        drive.press(.goPressed(GoPressed()), at: 0)
        try drive.report(.fix(1, north: 0, .accepted))
        let before = drive.tracker.openTrip
        drive.press(.goPressed(GoPressed(vehicle: "bike")), at: 2, recordedAfter: 100)
        #expect(drive.tracker.openTrip == before)
        try drive.report(.fix(3, north: 15, .accepted))
        drive.press(.stopPressed(StopPressed()), at: 4)
        drive.press(.stopPressed(StopPressed()), at: 5)
        #expect(drive.steps.count == 2)
        #expect(
            drive.ended.first?.endedAt?.timestamp == Drive.start.advanced(byMilliseconds: 4_000)
        )
        #expect(drive.ended.first?.vehicle == nil)
    }

    @Test func `STOP names the vehicle if GO did not`() throws {
        for (first, last, expected) in [
            ("van", "bike", "van"), ("van", nil, "van"), (nil, "bike", "bike"), (nil, nil, nil),
        ] as [(String?, String?, String?)] {
            var drive = Drive()
            drive.press(.goPressed(GoPressed(vehicle: first)), at: 0)
            drive.press(.stopPressed(StopPressed(vehicle: last)), at: 1)
            #expect(drive.ended.first?.vehicle == expected)
        }
    }

    @Test func `fixes between trips mean nothing`() throws {
        var drive = Drive()
        try drive.report(.fix(-1, north: 0, .accepted))
        #expect(drive.tracker.phase == .idle)
        #expect(drive.verdicts.isEmpty)
    }

    @Test func `the phases follow the trip`() throws {
        var drive = Drive()
        #expect(drive.tracker.phase == .idle)
        drive.press(.goPressed(GoPressed()), at: 0)
        #expect(drive.tracker.phase == .arming)
        try drive.report(.fix(1, north: 0, .accepted))
        #expect(drive.tracker.phase == .arming)
        try drive.report(.fix(2, north: 15, .accepted))
        #expect(drive.tracker.phase == .tracking)
        let last = Drive.start.advanced(byMilliseconds: 2_000)
        #expect(drive.tracker.phase(asOf: last.advanced(byMilliseconds: 120_000)) == .tracking)
        #expect(drive.tracker.phase(asOf: last.advanced(byMilliseconds: 120_001)) == .signalLost)
        try drive.report(.fix(200, north: 15, accuracy: 80, .poorAccuracy))
        #expect(drive.tracker.phase == .signalLost)
        try drive.report(.fix(201, north: 900, .afterGap))
        #expect(drive.tracker.phase == .tracking)
        drive.press(.stopPressed(StopPressed()), at: 300)
        #expect(drive.tracker.phase == .details)
        let trip = try #require(drive.ended.first)
        let other = TripID(high: 1, low: 2)
        drive.press(.detailsEdited(DetailsEdited(trip: other)), at: 301)
        #expect(drive.tracker.phase == .details)
        drive.press(.detailsEdited(DetailsEdited(trip: trip.id)), at: 302)
        #expect(drive.tracker.phase == .idle)
    }

    @Test func `a routine or the next GO ends the wait for details`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        drive.press(.stopPressed(StopPressed()), at: 1)
        let trip = try #require(drive.ended.first)
        drive.press(.routineApplied(RoutineApplied(trip: trip.id, routine: "commute")), at: 2)
        #expect(drive.tracker.phase == .idle)
        drive.press(.goPressed(GoPressed()), at: 3)
        drive.press(.stopPressed(StopPressed()), at: 4)
        drive.press(.goPressed(GoPressed()), at: 5)
        #expect(drive.tracker.phase == .arming)
        #expect(Set(drive.steps.map(\.id)).count == 3)
    }

    @Test func `an open trip is shown as if everything were decided now`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        try drive.report(.fix(1, north: 0, .accepted))
        #expect(drive.tracker.openTrip?.start?.latitude == 51.9)
        #expect(drive.tracker.openTrip?.fixes.accepted == 1)
        #expect(drive.tracker.phase == .arming)
        try drive.report(.fix(2, north: 15, .accepted))
        for second in 3...17 {
            try drive.report(.fix(Double(second), north: 100_000, .impossibleSpeed))
            #expect(drive.tracker.openTrip?.fixes.impossibleSpeed == Int64(second - 2))
        }
        try drive.report(.fix(18, north: 100_000, .afterGap))
        let trip = try #require(drive.tracker.openTrip)
        #expect(trip.fixes.impossibleSpeed == 0)
        #expect(trip.gaps.count == 1)
        #expect(trip.status == .active)
        #expect(trip.end == nil)
    }

    @Test func `the journal tells what each fix added, and it adds up`() throws {
        let drive = try Drive([
            .fix(0, north: 0, .accepted),
            .fix(1, north: 15, .accepted),
            .fix(2, north: 15.5, .jitter),
            .fix(3, north: 9_000, .impossibleSpeed),
            .fix(200, north: 900, .afterGap),
            .fix(201, north: 930, .accepted),
        ])
        let trip = try #require(drive.ended.first)
        let verdicts = drive.verdicts
        #expect(verdicts.map(\.position) == [1, 2, 3, 4, 5, 6])
        #expect(verdicts.reduce(.zero) { $0 + $1.added } == trip.distance)
        #expect(verdicts.reduce(.zero) { $0 + $1.gap } == trip.gaps.distance)
        let adding: [Verdict] = verdicts.filter { $0.added > .zero }.map(\.verdict)
        #expect(adding == [.accepted, .accepted])
    }

    @Test func `a fix that waits has a verdict when the motion sensor ends the trip`() throws {
        var drive = Drive(rules: TrackingRules(.v1, preset: .history))
        drive.sense(.cycling, at: 0)
        try drive.drive(from: 0, seconds: 1...240, metersPerSecond: 5)
        try drive.report(.fix(241, north: 90_000, .impossibleSpeed))
        drive.sense(.automotive, at: 242)
        #expect(drive.ended.map(\.endedBy) == [.motion])
        #expect(drive.verdicts.last?.verdict == .impossibleSpeed)
        #expect(drive.tracker.fixesInNoTrip == 241 - (drive.ended.first?.fixes.total ?? 0))
    }

    @Test func `a copy of a tracker stays as it was`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        for second in 1...6 {
            let copy = drive.tracker
            let bytes = copy.encode()
            try drive.report(.fix(Double(second), north: 15 * Double(second), .accepted))
            #expect(copy.encode() == bytes)
            #expect(copy != drive.tracker)
        }
    }
}

extension TripStep {
    /// The trip that the step is about.
    fileprivate var id: TripID {
        switch self {
        case .opened(let trip), .updated(let trip), .ended(let trip): trip.id
        case .withdrawn(let id): id
        }
    }
}
