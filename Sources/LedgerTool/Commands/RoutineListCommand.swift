import ArgumentParser
import RoutinesProjection
import TripLedger

/// The command `ledger routine list`.
struct RoutineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "Lists routines, how often they were applied, and what their trips have in common."
    )

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let routines = ShownRoutines(
            try ledger.routines().routines,
            places: try ledger.places()
        )
        try Output.standard.writing { try routines.write(to: $0, as: options.format) }
        if routines.isEmpty, options.format == .text {
            Diagnostic.say("There are no routines; `ledger routine save` makes one.\n")
        }
    }
}
