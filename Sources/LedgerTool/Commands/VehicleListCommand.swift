import ArgumentParser
import Projections
import TripLedger

/// The command `ledger vehicle list`.
struct VehicleListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists vehicles with what their odometers showed last.",
        discussion: """
            Vehicles that nobody registered are listed if their odometers were read.
            """
    )

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let vehicles = ShownVehicles(try ledger.vehicles())
        try Output.standard.writing { try vehicles.write(to: $0, as: options.format) }
        if vehicles.isEmpty, options.format == .text {
            Diagnostic.say("There are no vehicles; `ledger vehicle register` makes one.\n")
        }
    }
}
