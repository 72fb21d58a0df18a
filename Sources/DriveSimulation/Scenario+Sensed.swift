import TripEvents

/// The scenarios in which nobody presses anything and the motion sensor has its say.
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
