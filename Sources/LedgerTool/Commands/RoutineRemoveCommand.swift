import ArgumentParser
import TripLedger

/// The command `ledger routine remove`.
struct RoutineRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a routine; trips to which it was applied stay as they are.",
        discussion: """
            Example:
              ledger routine remove Office
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the routine.")
    var name: String

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(.removeRoutine(name), in: ledger, options)
    }
}
