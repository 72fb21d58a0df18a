import ArgumentParser
import TripLedger

/// The command `ledger routine apply`.
struct RoutineApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies a routine to a trip.",
        discussion: """
            What the routine says replaces what the trip says; what it does not mention stays.

            Example:
              ledger routine apply last Office
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @Argument(help: "The name of the routine.")
    var name: String

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(.applyRoutine(name, to: trip), in: ledger, options)
    }
}
