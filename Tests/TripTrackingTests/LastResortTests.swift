import DriveSimulation
import Geodesy
import Testing
import TripEvents
import TripTracking

/// Trips without a STOP: forgotten ones, and those whose recorder dies.
@Suite struct LastResortTests {
    /// A drive of 900 m in a minute after GO.
    private func driveOfAMinute() throws -> Drive {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        try drive.drive(from: 0, seconds: 0...60)
        return drive
    }

    private func authorize(_ drive: inout Drive, at seconds: Double) {
        drive.press(.authorizationChanged(AuthorizationChanged(status: .always)), at: seconds)
    }

    @Test func `a forgotten trip is asked about after ten minutes and ends after 45`() throws {
        var drive = try driveOfAMinute()
        for second in stride(from: 90, to: 2_760, by: 30) {
            try drive.report(.fix(Double(second), north: 900 + Double(second % 40), .accepted))
            let status = drive.advance(to: Double(second))
            #expect(status.asksStillRecording == (second >= 660), "\(second) s")
            #expect(status.trip != nil)
        }
        #expect(drive.ended.isEmpty)
        try drive.report(.fix(2_760, north: 900, .accepted))
        let trip = try #require(drive.ended.first)
        #expect(trip.endedBy == .noMovement)
        #expect(trip.flags == .autoStopped)
        #expect(Drive.endSeconds(of: trip) == 60)
        expectMeters(trip.distance, 900)
        #expect(drive.advance(to: 2_770).phase == .details)
    }

    @Test func `late fixes that show driving reopen and correct a forgotten trip`() throws {
        let commute = DriveSimulator.events(of: .homeToOffice).dropLast()
        let start = DriveSimulator.scenarioStart
        // The phone is alive all along, but the way home arrives later than that it is.
        var failed = try #require(commute.last)
        failed.body = .locationFailed(LocationFailed(error: "no satellites"))
        failed.occurredAt = start.advanced(byMilliseconds: 3_100_000)
        let way = commute.filter { $0.body.kind == .fixRecorded }
        let late = way.reversed().enumerated()
            .map { index, event in
                var event = event
                let seconds = 1_000 + 60 * Int64(index)
                event.occurredAt = start.advanced(byMilliseconds: seconds * 1_000)
                return event
            }
        let before = try Replay(Array(commute) + [failed])
        let short = try #require(before.ended.first)
        #expect(short.endedBy == .noMovement)
        #expect(short.endedAt?.timestamp == start.advanced(byMilliseconds: 300_000))

        let after = try Replay(Array(commute) + [failed] + late)
        #expect(after.ended.isEmpty)
        let corrected = try #require(after.tracker.openTrip)
        #expect(corrected.id == short.id)
        #expect(abs(corrected.distance.meters - 2 * short.distance.meters) < 0.1)
    }

    @Test func `a device that says nothing for two hours is off`() throws {
        for isWatched in [true, false] {
            var drive = try driveOfAMinute()
            if isWatched {
                #expect(drive.advance(to: 7_259.999).phase == .signalLost)
                #expect(drive.ended.isEmpty)
                #expect(drive.advance(to: 7_260).phase == .details)
            } else {
                try drive.report(.fix(7_300, north: 50_000, .accepted))
            }
            let trip = try #require(drive.ended.first)
            #expect(trip.endedBy == .deviceOff)
            #expect(trip.flags == .autoStopped)
            #expect(Drive.endSeconds(of: trip) == 60)
            expectMeters(trip.distance, 900)
        }
    }

    @Test func `a recorder that comes back finds its trip open`() throws {
        var drive = try driveOfAMinute()
        authorize(&drive, at: 75)
        #expect(drive.tracker.phase == .tracking)
        authorize(&drive, at: 600)
        #expect(drive.tracker.phase == .recovering)
        #expect(drive.advance(to: 660).since?.milliseconds(since: Drive.start) == 600_000)
        try drive.report(.fix(700, north: 3_000, .afterGap))
        #expect(drive.tracker.phase == .tracking)
        drive.press(.stopPressed(StopPressed()), at: 720)
        let trip = try #require(drive.ended.first)
        #expect(trip.flags == .recovered)
        #expect(trip.gaps.count == 1)
        expectMeters(trip.distance, 900)
    }

    @Test(arguments: RecoveryDecision.allCases)
    func `the driver decides what becomes of a trip whose recorder died`(
        decision: RecoveryDecision
    ) throws {
        var drive = try driveOfAMinute()
        authorize(&drive, at: 600)
        let id = try #require(drive.tracker.openTrip?.id)
        let other = TripID(high: 1, low: 1)
        drive.press(.recoveryDecided(RecoveryDecided(trip: other, decision: decision)), at: 650)
        #expect(drive.tracker.phase == .recovering)
        drive.press(.recoveryDecided(RecoveryDecided(trip: id, decision: decision)), at: 660)
        switch decision {
        case .resume:
            #expect(drive.tracker.phase == .signalLost)
            #expect(drive.tracker.openTrip?.flags == .recovered)
        case .save:
            #expect(drive.ended.first?.status == .completed)
            #expect(drive.ended.first.map { Drive.endSeconds(of: $0) } == 60)
            #expect(drive.ended.first?.endedBy == .recovery)
        case .abandon:
            #expect(drive.ended.first?.status == .abandoned)
            #expect(drive.ended.first?.abandonReason == .discarded)
            #expect(drive.tracker.phase == .idle)
        }
    }

    @Test func `GO after a forgotten trip begins another`() throws {
        var drive = try driveOfAMinute()
        drive.press(.goPressed(GoPressed()), at: 2_759)
        #expect(drive.ended.isEmpty)
        drive = try driveOfAMinute()
        drive.press(.goPressed(GoPressed()), at: 2_760)
        #expect(drive.ended.first?.endedBy == .noMovement)
        #expect(
            drive.tracker.openTrip?.startedAt.timestamp.milliseconds(since: Drive.start)
                == 2_760_000
        )
    }
}
