import ArgumentParser
import Projections
import RowFormats
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
        try options.list(
            ListedVehicle.all(in: try ledger.read { try $0.vehicles() }),
            ifEmpty: "There are no vehicles; `ledger vehicle register` makes one."
        )
    }
}
