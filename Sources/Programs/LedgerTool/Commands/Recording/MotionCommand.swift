import ArgumentParser
import TripEvents

/// The command `ledger motion`.
struct MotionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "motion",
        abstract: "Records that the motion sensor reports another kind of motion.",
        discussion: """
            Examples:
              ledger motion automotive
              ledger motion walking --confidence medium --source phone
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var event: EventOptions

    @Argument(help: "What the carrier of the device is doing.")
    var state: MotionState

    @Option(help: "How sure the sensor is.")
    var confidence: MotionConfidence = .high

    func run() throws {
        let motion = MotionChanged(state: state, confidence: confidence)
        try event.append(.motionChanged(motion), options)
    }
}
