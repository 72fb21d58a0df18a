import ArgumentParser

/// The command `ledger vehicle`.
struct VehicleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vehicle",
        abstract: "Registers or lists vehicles.",
        discussion: """
            A trip has the vehicle that GO or an edit names, registered or not.

            Examples:
              ledger vehicle register van --plate V-123-AB --make Volvo --model V70
              ledger vehicle list
              ledger odometer van 123456.7
            """,
        subcommands: [VehicleRegisterCommand.self, VehicleListCommand.self]
    )
}
