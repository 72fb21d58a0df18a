import TripEvents

/// A named situation around Rotterdam that a recorder can be put into.
public enum Scenario: String, CaseIterable, Sendable {
    case homeToOffice = "home-to-office"
    case stationary
    case skipLocation = "skip-location"
    case tunnel
    case trafficJam = "traffic-jam"
    case parkedDrift = "parked-drift"
    case batteryDeath = "battery-death"
    case forgottenStop = "forgotten-stop"
    case doubleGo = "double-go"
    case walkingAway = "walking-away"
    case lowConfidenceMotion = "low-confidence-motion"
    case lateUpload = "late-upload"
    case shuffledUpload = "shuffled-upload"
    case clockJump = "clock-jump"

    /// What happens, in one sentence.
    public var summary: String {
        switch self {
        case .homeToOffice:
            "A driver presses GO at home and STOP at the office, with five fixes between."
        case .stationary:
            "The motion sensor believes in a drive while the phone lies at home: a false start."
        case .skipLocation:
            "A commute with two fixes at the day care, a place marked skip, goes on to the office."
        case .tunnel:
            "The signal is lost for five minutes in a tunnel: a gap, not distance."
        case .trafficJam:
            "The car creeps a few metres a minute, which adds up, before the road clears."
        case .parkedDrift:
            "After STOP the parked phone drifts for an hour, which is no mileage."
        case .batteryDeath:
            "The phone dies on the way and comes back 20 minutes later with the trip still open."
        case .forgottenStop:
            "The driver forgets STOP, and the car stands at the office for an hour."
        case .doubleGo:
            "GO is pressed again in the middle of a trip, which changes nothing."
        case .walkingAway:
            "The motion sensor sees a drive begin, and its end when the driver walks away."
        case .lowConfidenceMotion:
            "The motion sensor is not sure that this is a drive, so none starts."
        case .lateUpload:
            "Two fixes from the middle of the trip arrive after STOP."
        case .shuffledUpload:
            "Every event arrives, in an order left to chance."
        case .clockJump:
            "The phone's clock is an hour ahead for one fix, and then right again."
        }
    }
}

extension Scenario {
    /// Returns what the recorder does; `random` decides what is left to chance.
    func script(random: inout SplitMix64) -> RecorderScript {
        switch self {
        case .homeToOffice: Self.commute()
        case .stationary: Self.falseStart()
        case .skipLocation: Self.commuteWithSkippedStop()
        case .tunnel: Self.commuteThroughTunnel()
        case .trafficJam: Self.creepingCommute(random: &random)
        case .parkedDrift: Self.commuteThenDrift(random: &random)
        case .batteryDeath: Self.interruptedCommute()
        case .forgottenStop: Self.endlessCommute(random: &random)
        case .doubleGo: Self.commuteWithSecondGo()
        case .walkingAway: Self.motionCommute(confidence: .high, walksAway: true)
        case .lowConfidenceMotion: Self.motionCommute(confidence: .low, walksAway: false)
        case .lateUpload: Self.commuteWithLateFixes()
        case .shuffledUpload: Self.shuffledCommute(random: &random)
        case .clockJump: Self.commuteWithClockJump()
        }
    }
}

/// The scenarios in which the driver presses GO.
extension Scenario {
    static func commute() -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute)
        script.arrive()
        return script
    }

    /// GO at home, and the first three positions of the commute.
    private static func halfCommute() -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        return script
    }

    static func commuteWithSkippedStop() -> RecorderScript {
        var script = RecorderScript()
        script.report(
            .placeSaved(
                PlaceSaved(
                    place: "day-care",
                    latitude: ExactDecimal(
                        simulated: GridPoint.dayCare.latitudeSteps,
                        decimals: 7
                    ),
                    longitude: ExactDecimal(
                        simulated: GridPoint.dayCare.longitudeSteps,
                        decimals: 7
                    ),
                    radiusMeters: 75,
                    label: "Day care",
                    skips: true
                )
            )
        )
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        script.drive(through: GridPoint.commute.suffix(3))
        script.arrive()
        return script
    }

    static func commuteThroughTunnel() -> RecorderScript {
        var script = halfCommute()
        script.wait(seconds: 30)
        script.fail(error: "No satellites in view")
        script.wait(seconds: 210)
        script.driveOnToOffice()
        return script
    }

    static func creepingCommute(random: inout SplitMix64) -> RecorderScript {
        var script = halfCommute()
        var point = GridPoint.dayCare
        for _ in 0..<20 {
            point = point.moved(
                northMillimeters: random.integer(in: 500...1_500),
                eastMillimeters: random.integer(in: 2_000...4_000)
            )
            script.drive(through: CollectionOfOne(point))
        }
        script.driveOnToOffice()
        return script
    }

    static func commuteThenDrift(random: inout SplitMix64) -> RecorderScript {
        var script = commute()
        script.sense(.stationary, confidence: .high)
        script.linger(at: .office, count: 60, withinMillimeters: 15_000, random: &random)
        return script
    }

    static func interruptedCommute() -> RecorderScript {
        var script = halfCommute()
        script.wait(seconds: 1_200)
        script.authorize(.always, isPrecise: true)
        script.driveOnToOffice()
        return script
    }

    static func endlessCommute(random: inout SplitMix64) -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute)
        script.linger(at: .office, count: 60, withinMillimeters: 3_000, random: &random)
        return script
    }

    static func commuteWithSecondGo() -> RecorderScript {
        var script = halfCommute()
        script.pressGo()
        script.driveOnToOffice()
        return script
    }

    static func commuteWithLateFixes() -> RecorderScript {
        var script = commute()
        // After GO come the positions; the third and fourth are held back.
        script.holdBack(3..<5)
        return script
    }

    static func shuffledCommute(random: inout SplitMix64) -> RecorderScript {
        var script = commute()
        script.scramble(random: &random)
        return script
    }

    static func commuteWithClockJump() -> RecorderScript {
        var script = halfCommute()
        script.wait(seconds: 3_600)
        script.drive(through: GridPoint.commute[3..<4])
        script.wait(seconds: -3_600)
        script.drive(through: GridPoint.commute.suffix(1))
        script.arrive()
        return script
    }
}

/// The scenarios without a press, in which the motion sensor reports.
extension Scenario {
    static func falseStart() -> RecorderScript {
        var script = RecorderScript()
        script.sense(.automotive, confidence: .medium)
        script.drive(through: repeatElement(GridPoint.home, count: 3))
        script.wait(seconds: 60)
        script.sense(.walking, confidence: .high)
        return script
    }

    static func motionCommute(confidence: MotionConfidence, walksAway: Bool) -> RecorderScript {
        var script = RecorderScript()
        script.sense(.automotive, confidence: confidence)
        script.drive(through: GridPoint.commute)
        guard walksAway else { return script }
        script.wait(seconds: 30)
        script.sense(.walking, confidence: .high)
        let steps = (1...3)
            .map {
                GridPoint.office.moved(northMillimeters: 0, eastMillimeters: 80_000 * $0)
            }
        script.drive(through: steps)
        return script
    }
}

extension RecorderScript {
    /// The last two positions of the commute, and STOP at the office.
    fileprivate mutating func driveOnToOffice() {
        drive(through: GridPoint.commute.suffix(2))
        arrive()
    }
}
