import Geodesy
import Testing
import TripEvents
import TripTracking

@Suite struct AutomaticEndTests {
    /// A drive of 900 m in a minute that the motion sensor or, for a press, the driver started.
    private func driveOfAMinute(
        _ preset: TrackingPreset = .phone,
        isPressed: Bool = false
    ) throws -> Drive {
        var drive = Drive(rules: TrackingRules(.v1, preset: preset))
        if isPressed {
            drive.press(.goPressed(GoPressed()), at: 0)
        } else {
            drive.sense(.automotive, at: 0)
        }
        try drive.drive(from: 0, seconds: 0...60)
        return drive
    }

    private func place(
        _ name: String = "day-care",
        latitude: ExactDecimal = 51.9081,
        skip: Bool
    ) -> EventBody {
        .placeSaved(
            PlaceSaved(
                place: name,
                latitude: latitude,
                longitude: 4.4,
                radiusMeters: 100,
                skips: skip
            )
        )
    }

    @Test(arguments: [MotionState.walking, .running])
    func `a minute of walking or running ends a trip that no press started`(
        state: MotionState
    ) throws {
        for (isPressed, confidence, ends) in [
            (false, .medium, true), (false, .high, true), (false, .low, false),
            (true, .high, false),
        ] as [(Bool, MotionConfidence, Bool)] {
            var drive = try driveOfAMinute(isPressed: isPressed)
            drive.sense(state, confidence, at: 80)
            _ = drive.advance(to: 139)
            #expect(drive.ended.isEmpty)
            _ = drive.advance(to: 140)
            #expect(drive.ended.count == (ends ? 1 : 0))
            if let trip = drive.ended.first {
                #expect(trip.endedBy == .walking)
                #expect(Drive.endSeconds(of: trip) == 60)
                expectMeters(trip.distance, 900)
            }
        }
    }

    @Test(arguments: [60, 120, 300, 600])
    func `a phone that reports seldom once it stands ends where it stopped`(
        interval: Int
    ) throws {
        var drive = try driveOfAMinute()
        drive.sense(.stationary, at: 61)
        for second in stride(from: 60 + interval, through: 4_200, by: interval) {
            // Farther than jitter goes, and each time after a gap.
            let north = 900 + Double(second / interval % 2) * 9
            try drive.report(.fix(Double(second), north: north, speed: 0, .afterGap))
        }
        let trip = try #require(drive.ended.first)
        #expect(drive.ended.count == 1)
        #expect(Drive.endSeconds(of: trip) == 60, "\(trip.endedBy)")
        expectMeters(trip.distance, 900)
    }

    @Test func `a car within 75 m for ten minutes is parked since it came there`() throws {
        var drive = try driveOfAMinute()
        for second in stride(from: 70, through: 650, by: 10) {
            let north = 905 + Double(second % 3) * 6
            try drive.report(.fix(Double(second), north: north, speed: 0.5, .accepted))
            #expect(drive.ended.isEmpty, "\(second) s")
        }
        try drive.report(.fix(660, north: 905, .accepted))
        let trip = try #require(drive.ended.first)
        #expect(trip.endedBy == .parked)
        #expect(Drive.endSeconds(of: trip) == 60)
        expectMeters(trip.distance, 900)
        #expect(trip.fixes.accepted == 61)
        #expect(trip.recorded.lastAt.milliseconds(since: Drive.start) == 60_000)
        #expect(trip.movingMilliseconds == 60_000)
        #expect(abs(trip.maximumSpeedMetersPerSecond - 15) < 0.1)
        #expect(trip.samplingMilliseconds == 1_000)
        #expect(trip.flags.isEmpty)
    }

    @Test func `a pressed trip is not parked`() throws {
        var drive = try driveOfAMinute(isPressed: true)
        for second in stride(from: 70, through: 1_800, by: 10) {
            try drive.report(.fix(Double(second), north: 900, speed: 0, .jitter))
        }
        #expect(drive.ended.isEmpty)
    }

    @Test func `stationary ends nothing by itself, but parks in five minutes`() throws {
        var drive = try driveOfAMinute()
        drive.sense(.stationary, .medium, at: 100)
        for second in stride(from: 70, through: 350, by: 10) {
            try drive.report(.fix(Double(second), north: 900, speed: 0, .jitter))
        }
        #expect(drive.ended.isEmpty)
        try drive.report(.fix(360, north: 900, speed: 0, .jitter))
        #expect(drive.tracker.phase == .details)
        #expect(drive.ended.first.map { Drive.endSeconds(of: $0) } == 60)
        #expect(drive.ended.first?.endedBy == .parked)
    }

    @Test func `silence is no evidence of parking`() throws {
        // Stationary at a red light, and then six minutes of tunnel at 20 m/s.
        var drive = try driveOfAMinute()
        drive.sense(.stationary, at: 62)
        try drive.report(.fix(65, north: 900, speed: 0, .jitter))
        try drive.report(.fix(425, north: 900 + 360 * 20, speed: 20, .afterGap))
        #expect(drive.ended.isEmpty)
        // A recorder that says stationary and is silent for more than ten minutes was switched off.
        drive = try driveOfAMinute()
        drive.sense(.stationary, at: 62)
        _ = drive.advance(to: 660)
        #expect(drive.ended.isEmpty)
        _ = drive.advance(to: 661)
        #expect(drive.ended.first?.endedBy == .silence)
        #expect(drive.ended.first.map { Drive.endSeconds(of: $0) } == 60)
    }

    @Test func `who drives on in time was not parked`() throws {
        for low in [true, false] {
            var drive = try driveOfAMinute()
            drive.sense(.stationary, low ? .low : .high, at: 100)
            if !low {
                drive.sense(.automotive, at: 390)
            }
            _ = drive.advance(to: 420)
            #expect(drive.ended.isEmpty)
            try drive.drive(from: 930, seconds: 430...500)
            #expect(drive.ended.isEmpty)
        }
    }

    @Test func `a stop at a skip place ends no trip, whatever happens there`() throws {
        for skip in [true, false] {
            var drive = try driveOfAMinute()
            drive.press(place(skip: skip), at: 61)
            drive.sense(.stationary, at: 62)
            for second in stride(from: 70, through: 800, by: 10) {
                try drive.report(.fix(Double(second), north: 902, speed: 0, .jitter))
            }
            drive.sense(.walking, at: 801)
            try drive.drive(from: 900, seconds: 810...900)
            #expect(drive.ended.isEmpty == skip)
        }
        var drive = try driveOfAMinute()
        drive.press(place(skip: true), at: 61)
        drive.press(.placeRemoved(PlaceRemoved(place: "day-care")), at: 62)
        drive.sense(.walking, at: 70)
        _ = drive.advance(to: 130)
        #expect(drive.ended.count == 1)
    }

    @Test func `of places to skip the first 250 count that are there`() throws {
        // An event about the first place, before the last place comes or after it: none, a removal
        // that leaves room for one more, or another saving.
        let removal = EventBody.placeRemoved(PlaceRemoved(place: "place 0"))
        for (before, after, isSkipped) in [
            (nil, nil, false), (removal, nil, true), (nil, removal, false),
            (place("place 0", latitude: 40, skip: false), nil, true),
            (place("place 0", latitude: 41, skip: true), nil, false),
        ] {
            var drive = try driveOfAMinute()
            for index in 0..<Tracker.mostPlacesToSkip {
                drive.press(place("place \(index)", latitude: 40, skip: true), at: 61)
            }
            if let before { drive.press(before, at: 62) }
            drive.press(place(skip: true), at: 63)
            if let after { drive.press(after, at: 64) }
            drive.sense(.walking, at: 70)
            _ = drive.advance(to: 130)
            #expect(drive.ended.isEmpty == isSkipped)
            #expect(try Tracker(decoding: drive.tracker.encode()) == drive.tracker)
        }
    }

    /// A silence after a drive: how long, how far the next fix is, and whether the trip ended.
    struct Silence: Sendable {
        var preset: TrackingPreset
        var seconds: Double
        var meters: Double
        var ends: Bool
    }

    static let silences = [
        Silence(preset: .logger, seconds: 119, meters: 0, ends: false),
        Silence(preset: .logger, seconds: 121, meters: 150, ends: true),
        Silence(preset: .logger, seconds: 121, meters: 250, ends: true),
        Silence(preset: .logger, seconds: 121, meters: 2_000, ends: false),
        Silence(preset: .logger, seconds: 1_790, meters: 30_000, ends: false),
        Silence(preset: .logger, seconds: 1_790, meters: 4_000, ends: true),
        Silence(preset: .logger, seconds: 1_801, meters: 30_000, ends: true),
        Silence(preset: .history, seconds: 590, meters: 0, ends: false),
        Silence(preset: .history, seconds: 601, meters: 100, ends: true),
        Silence(preset: .phone, seconds: 601, meters: 100, ends: true),
        Silence(preset: .phone, seconds: 601, meters: 3_000, ends: false),
    ]

    @Test(arguments: silences)
    func `a silence may mean that the recorder was switched off`(silence: Silence) throws {
        var drive = try driveOfAMinute(silence.preset)
        let next = FixRow.fix(60 + silence.seconds, north: 900 + silence.meters, .afterGap)
        try drive.report(next)
        #expect(drive.ended.isEmpty != silence.ends)
        if let trip = drive.ended.first {
            #expect(trip.endedBy == .silence)
            #expect(Drive.endSeconds(of: trip) == 60)
            expectMeters(trip.distance, 900)
        }
        var pressed = try driveOfAMinute(silence.preset, isPressed: true)
        try pressed.report(next)
        #expect(pressed.ended.isEmpty)
    }

    @Test func `the signal that came in the silence starts the next trip`() throws {
        var drive = try driveOfAMinute()
        drive.sense(.automotive, at: 1_000)
        #expect(drive.ended.isEmpty)
        try drive.drive(from: 900, seconds: 1_010...1_060)
        #expect(drive.ended.count == 1)
        let trip = try #require(drive.tracker.openTrip)
        #expect(trip.startedBy == .motion)
        #expect(trip.startedAt.timestamp.milliseconds(since: Drive.start) == 1_000_000)
        expectMeters(trip.distance, 750)

        drive = try driveOfAMinute()
        drive.press(.goPressed(GoPressed(vehicle: "van")), at: 1_000)
        #expect(drive.ended.first.map { Drive.endSeconds(of: $0) } == 60)
        #expect(drive.tracker.openTrip?.vehicle == "van")
        #expect(drive.tracker.openTrip?.startedBy == .press)
    }

    @Test func `a trip that nobody pressed for and that gets nowhere is a false start`() throws {
        for (meters, reason) in [
            (59.0, AbandonReason.falseStart), (61, .walkingPace), (1_500, nil),
        ] as [(Double, AbandonReason?)] {
            var drive = Drive()
            drive.sense(.automotive, at: 0)
            for second in stride(from: 1.0, through: 100, by: 3) {
                let north = meters * (second - 1) / 99
                try drive.report(.fix(second, north: north, .accepted))
            }
            drive.press(.stopPressed(StopPressed()), at: 120)
            #expect(drive.ended.first?.status == (reason == nil ? .completed : .abandoned))
            #expect(drive.ended.first?.abandonReason == reason)
            #expect(drive.ended.first?.endedBy == .press)
            #expect(drive.tracker.phase == (reason == nil ? .details : .idle))
        }
    }
}
