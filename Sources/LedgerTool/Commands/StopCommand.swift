import ArgumentParser
import TripEvents

/// The command `ledger stop`.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Records that the driver pressed STOP.",
        discussion: """
            The trip that is going on ends.

            Examples:
              ledger stop
              ledger stop --source phone --vehicle van --at 2026-03-14T08:30:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var event: EventOptions

    @Option(help: "The vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "The routine that the trip follows.", completion: .routine)
    var routine: String?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        try event.append(.stopPressed(StopPressed(vehicle: vehicle, routine: routine)), options)
    }
}
