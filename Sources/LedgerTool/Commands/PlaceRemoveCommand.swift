import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger place remove`.
struct PlaceRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a place; earlier trips keep its name.",
        discussion: """
            Example:
              ledger place remove "Day care" --since 2026-08-01T00:00:00+02:00
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the place.")
    var name: String

    @Option(
        help: ArgumentHelp("From when on it is no place (default: now).", valueName: "time")
    )
    var since: EventTime?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(.removePlace(name), at: since, in: ledger, options)
    }
}
