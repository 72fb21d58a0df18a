import ArgumentParser
import TripEvents

/// The command `ledger stop`.
struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Records that the driver pressed STOP.",
        discussion: """
            The trip that is going on ends. With --odometer, as with `ledger go`, a trip without \
            positions has the distance that the odometer went.

            Examples:
              ledger stop
              ledger stop --odometer 123478.2
              ledger stop --source phone --vehicle van --at 2026-03-14T08:30:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var event: EventOptions

    @Option(help: "The vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(help: "Who drives.")
    var driver: String?

    @Option(help: "The routine that the trip follows.", completion: .routine)
    var routine: String?

    @Option(
        help: ArgumentHelp(
            "What the odometer shows, in the unit of its last reading or else the ledger's.",
            valueName: "number"
        )
    )
    var odometer: ExactDecimal?

    func run() throws {
        try event.append(
            .stopPressed(StopPressed(vehicle: vehicle, routine: routine, driver: driver)),
            odometer: odometer,
            options
        )
    }
}
