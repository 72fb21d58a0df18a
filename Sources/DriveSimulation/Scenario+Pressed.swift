import TripEvents

/// The scenarios in which the driver presses GO.
extension Scenario {
    static func commute() -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute)
        script.arrive()
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
                    radiusMeters: ExactDecimal(simulated: 75, decimals: 0),
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
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        script.wait(seconds: 30)
        script.fail(error: "No satellites in view")
        script.wait(seconds: 210)
        script.drive(through: GridPoint.commute.suffix(2))
        script.arrive()
        return script
    }

    static func creepingCommute(random: inout SplitMix64) -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        var point = GridPoint.dayCare
        for _ in 0..<20 {
            point = point.moved(
                northMillimeters: random.integer(in: 500...1_500),
                eastMillimeters: random.integer(in: 2_000...4_000)
            )
            script.drive(through: CollectionOfOne(point))
        }
        script.drive(through: GridPoint.commute.suffix(2))
        script.arrive()
        return script
    }

    static func commuteThenDrift(random: inout SplitMix64) -> RecorderScript {
        var script = commute()
        script.sense(.stationary, confidence: .high)
        script.linger(at: .office, count: 60, withinMillimeters: 15_000, random: &random)
        return script
    }

    static func interruptedCommute() -> RecorderScript {
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        script.wait(seconds: 1_200)
        script.authorize(.always, isPrecise: true)
        script.drive(through: GridPoint.commute.suffix(2))
        script.arrive()
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
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        script.pressGo()
        script.drive(through: GridPoint.commute.suffix(2))
        script.arrive()
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
        var script = RecorderScript()
        script.pressGo()
        script.drive(through: GridPoint.commute.prefix(3))
        script.wait(seconds: 3_600)
        script.drive(through: GridPoint.commute[3..<4])
        script.wait(seconds: -3_600)
        script.drive(through: GridPoint.commute.suffix(1))
        script.arrive()
        return script
    }
}
