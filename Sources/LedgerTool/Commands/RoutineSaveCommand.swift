import ArgumentParser
import TripLedger

/// The command `ledger routine save`.
struct RoutineSaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Saves a routine, or changes it.",
        discussion: """
            What is left out stays as it was saved before; --from-trip takes everything that a \
            trip says about itself. Trips to which the routine was applied before stay as they are.

            Examples:
              ledger routine save Office --title "To the office" --class commute
              ledger routine save "Visit ACME" --from-trip last --vehicle van
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the routine.")
    var name: String

    @Option(help: ArgumentHelp("A trip whose details are the template.", valueName: "trip"))
    var fromTrip: TripReference?

    @OptionGroup var details: DetailOptions

    func validate() throws {
        try options.refuseCSV()
        guard fromTrip != nil || !details.givenNames.isEmpty else {
            throw ValidationError(
                "Say what its trips are for, such as --purpose TEXT, or --from-trip TRIP."
            )
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let said = try ledger.read { try details.details(in: $0) }
        try decision.decide(.saveRoutine(name, said, from: fromTrip), in: ledger, options)
    }
}
