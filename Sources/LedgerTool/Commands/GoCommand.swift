import ArgumentParser
import TripEvents

/// The command `ledger go`.
struct GoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "go",
        abstract: "Records that the driver pressed GO.",
        discussion: """
            A trip starts, unless one is going on.

            Examples:
              ledger go
              ledger go --source phone --vehicle van --at 2026-03-14T08:30:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var event: EventOptions

    @Option(help: "The vehicle.")
    var vehicle: String?

    @Option(help: "The routine that the trip follows.")
    var routine: String?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        try event.append(.goPressed(GoPressed(vehicle: vehicle, routine: routine)), options)
    }
}
