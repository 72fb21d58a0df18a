import Geodesy
import Testing
import TripEvents
import TripTracking

/// Days as the driver would tell them.
@Suite struct DriverTests {
    private let history = TrackingRules(.v1, preset: .history)

    /// Metres in a degree of longitude at 51.9°.
    private static let metersPerDegreeEast = 68_800.0

    private func expectAbout(_ distance: Distance, _ meters: Double) {
        #expect(abs(distance.meters - meters) < 45, "\(distance.meters) m")
    }

    @Test func `GO in a trip that started by itself makes it the driver's`() throws {
        var drive = Drive(rules: history)
        let north = try drive.drive(from: 0, seconds: 0...150)
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 151)
        // Twelve minutes of loading would park any other trip.
        for second in stride(from: 160.0, through: 880, by: 20) {
            try drive.report(.fix(second, north: north, speed: 0, .jitter))
        }
        try drive.drive(from: north, seconds: 900...1_000)
        drive.press(.stopPressed(StopPressed()), at: 1_001)
        let trip = try #require(drive.ended.first)
        #expect(drive.ended.count == 1)
        #expect(trip.vehicle == "van" && trip.startedBy == .movement && trip.endedBy == .press)
        #expect(trip.flags == .pressed)
        #expect(trip.mode == .car)
        expectAbout(trip.distance, 250 * 15)
    }

    @Test func `GO for another vehicle after a stop ends the trip where the car stood`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 0)
        let north = try drive.drive(from: 0, seconds: 1...600)
        for second in stride(from: 660.0, through: 1_800, by: 60) {
            try drive.report(.fix(second, north: north, speed: 0, .jitter))
        }
        drive.press(.goPressed(GoPressed(vehicle: "private")), at: 1_801)
        try drive.drive(from: north, seconds: 1_802...1_900)
        drive.press(.stopPressed(StopPressed()), at: 1_901)
        #expect(drive.ended.map(\.vehicle) == ["van", "private"])
        #expect(drive.ended.map(\.endedBy) == [.forgottenStop, .press])
        #expect(drive.ended.map(\.flags) == [.forgottenStop, []])
        #expect(drive.ended.first.map { Drive.endSeconds(of: $0) } == 600)
    }

    @Test func `a double press is none`() throws {
        for again in [3.0, 90] {
            var drive = Drive()
            drive.press(.goPressed(GoPressed(vehicle: "van")), at: 0)
            drive.press(.goPressed(GoPressed(vehicle: "car")), at: again)
            try drive.drive(from: 0, seconds: 100...200)
            #expect(drive.ended.isEmpty)
            #expect(drive.tracker.openTrip?.vehicle == "van")
        }
    }

    @Test func `what drives on before STOP goes on as another trip`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 0)
        let north = try drive.drive(from: 0, seconds: 1...300)
        for second in stride(from: 360.0, through: 3_060, by: 60) {
            try drive.report(.fix(second, north: north, speed: 0, .jitter))
        }
        #expect(drive.ended.map(\.endedBy) == [.noMovement])
        try drive.drive(from: north, seconds: 3_100...3_400)
        drive.press(.stopPressed(StopPressed()), at: 3_401)
        #expect(drive.ended.map(\.startedBy) == [.press, .resumed])
        #expect(drive.ended.map(\.vehicle) == ["van", "van"])
        expectAbout(drive.ended[0].distance + drive.ended[1].distance, 599 * 15)
        // STOP is the end of it.
        try drive.drive(from: 0, seconds: 4_000...4_100)
        #expect(!drive.tracker.isOpen)
    }

    @Test func `the way to the parking place after STOP counts nowhere`() throws {
        var drive = Drive(rules: history)
        let north = try drive.drive(from: 0, seconds: 0...150)
        drive.press(.stopPressed(StopPressed()), at: 150)
        let parked = try drive.drive(from: north, seconds: 155...180)
        for second in stride(from: 190.0, through: 900, by: 10) {
            try drive.report(.fix(second, north: parked, speed: 0, .jitter))
        }
        #expect(drive.ended.map(\.status) == [.completed, .abandoned])
        #expect(drive.ended.last?.abandonReason == .afterStop)
    }

    @Test func `a crawl out of a jam belongs to the trip that it leads to`() throws {
        var drive = Drive(rules: history)
        var north = try drive.drive(from: 0, seconds: 0...150)
        for second in stride(from: 160.0, through: 880, by: 20) {
            try drive.report(.fix(second, north: north, speed: 0, .jitter))
        }
        #expect(drive.ended.count == 1)
        let crawl = north
        for second in stride(from: 900.0, through: 1_500, by: 10) {
            north += 18
            try drive.report(.fix(second, north: north, speed: 1.8, .accepted))
        }
        try drive.drive(from: north, seconds: 1_510...1_700)
        let trip = try #require(drive.tracker.openTrip)
        #expect(trip.start.map { $0.latitude - 51.9 < (crawl + 100) / 111_000 } == true)
        #expect(trip.startedAt.timestamp.milliseconds(since: Drive.start) < 935_000)
        #expect(trip.distance.meters > 57 * 18 + 2_800)
    }

    @Test func `a leap of a resting car and back is a spike`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        for second in stride(from: 30.0, through: 300, by: 30) {
            try drive.report(.fix(second, north: second == 180 ? 900 : 0, .accepted))
        }
        drive.press(.stopPressed(StopPressed()), at: 330)
        let trip = try #require(drive.ended.first)
        #expect(trip.fixes.spike == 1)
        #expect(trip.distance == .zero && trip.gaps == GapTotal())
        let noted = drive.verdicts.filter { $0.verdict == .spike }
        #expect(noted.map { $0.occurredAt.milliseconds(since: Drive.start) } == [180_000])
    }

    @Test func `what the receiver's own speeds confirm is no gap`() throws {
        for (speed, isDriven) in [(65.0, true), (30, false), (nil, false)] {
            var drive = Drive()
            drive.press(.goPressed(GoPressed()), at: 0)
            var north = 0.0
            for second in 1...40 {
                // It has come to its speed by and by.
                let pace = min(36 + 3 * Double(second), 65)
                north += pace
                let said = speed.map { $0 * pace / 65 }
                try drive.report(.fix(Double(second), north: north, speed: said, .accepted))
            }
            drive.press(.stopPressed(StopPressed()), at: 41)
            let trip = try #require(drive.ended.first)
            #expect((trip.fixes.impossibleSpeed == 0) == isDriven, "\(speed ?? -1) m/s")
            if isDriven { expectAbout(trip.distance, 2_432) }
        }
    }

    @Test func `an old position that the receiver had kept is dropped`() throws {
        var drive = Drive()
        drive.press(.goPressed(GoPressed()), at: 0)
        try drive.report(.fix(1, north: 2_200, speed: 0, .impossibleSpeed))
        for step in 0...20 {
            let second = 76 + 15 * Double(step)
            try drive.report(.fix(second, north: -15 * second, speed: 15, .accepted))
        }
        drive.press(.stopPressed(StopPressed()), at: 377)
        expectAbout(try #require(drive.ended.first).distance, 300 * 15)
    }

    @Test func `a walk is none, and neither is a ride that the sensor saw`() throws {
        for (speed, state, mode) in [
            (1.4, nil, TravelMode.foot), (5, .cycling, .bicycle), (14, nil, .car),
            (14, .automotive, .car),
        ] as [(Double, MotionState?, TravelMode)] {
            var drive = Drive(rules: history)
            if let state { drive.sense(state, at: 0) }
            var north = 0.0
            var east = 0.0
            for second in 1...600 {
                // Round a corner every minute and a half.
                if second / 90 % 2 == 0 { north += speed } else { east += speed }
                let place = Coordinate(
                    latitude: 51.9 + north / FixRow.metersPerDegree,
                    longitude: 4.4 + east / Self.metersPerDegreeEast
                )
                try drive.report(
                    FixRow(at: Double(second), coordinate: place, verdict: .accepted)
                )
            }
            _ = drive.advance(to: 20_000)
            let counted = drive.ended.filter { $0.status == .completed }
            #expect(counted.map(\.mode) == (mode == .car ? [.car] : []), "\(speed) m/s")
            #expect(drive.ended.allSatisfy { $0.mode == mode }, "\(speed) m/s")
        }
    }
}
