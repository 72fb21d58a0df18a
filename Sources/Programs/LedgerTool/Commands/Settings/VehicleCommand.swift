import ArgumentParser
import LedgerRows
import Projections
import Tables
import TripEvents
import TripLedger

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

/// The command `ledger vehicle register`.
struct VehicleRegisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Registers a vehicle, or changes what is known of it.",
        discussion: """
            What is left out stays as it was said before.

            Examples:
              ledger vehicle register van --plate V-123-AB --make Volvo --model V70
              ledger vehicle register van --in-service-since 2026-01-01
              ledger vehicle register clio --kind car --fiscal-power 5 --electric
              ledger vehicle register golf --fuel diesel --engine-cc 1968 --driver Eva
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "What trips call the vehicle.", completion: .vehicle)
    var name: String

    @Option(help: "The registration plate.")
    var plate: String?

    @Option(help: "Who made it.")
    var make: String?

    @Option(help: "The model.")
    var model: String?

    @Option(help: ArgumentHelp("The first day of its use: 2026-01-31.", valueName: "day"))
    var inServiceSince: CivilDate?

    @Option(help: "What kind of vehicle it is, for rates (default there: car).")
    var kind: VehicleKind?

    @Option(help: ArgumentHelp("Its fiscal power (P.6), for rates of fr.", valueName: "cv"))
    var fiscalPower: UInt32?

    @Flag(inversion: .prefixedNo, help: "It drives by electricity alone, or does not.")
    var electric: Bool?

    @Option(help: "What it burns, for advisory fuel rates.")
    var fuel: Fuel?

    @Option(help: ArgumentHelp("The size of its engine, for the same.", valueName: "cm3"))
    var engineCC: UInt32?

    @Option(help: "Who keeps it, a person or a firm, as logs name them.")
    var keeper: String?

    @Option(help: "Who drives it where a trip does not say otherwise.")
    var driver: String?

    func validate() throws {
        guard let fuel, let electric, electric != (fuel == .electric) else { return }
        let flag = electric ? "--electric" : "--no-electric"
        throw ValidationError("--fuel \(fuel.rawValue) and \(flag) differ.")
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let registration = VehicleRegistered(
            vehicle: name,
            plate: plate,
            make: make,
            model: model,
            inServiceSince: inServiceSince,
            kind: kind,
            fiscalPower: fiscalPower,
            isElectric: electric,
            keeper: keeper,
            driver: driver,
            fuel: fuel,
            engine: engineCC
        )
        try decision.decide(.registerVehicle(registration), in: ledger, options)
    }
}

/// The command `ledger vehicle list`.
struct VehicleListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists vehicles with what their odometers showed last.",
        discussion: """
            Vehicles that are not registered are listed too if their odometers were read.

            Examples:
              ledger vehicle list
              ledger vehicle list --group 17
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions
    @OptionGroup var group: GroupOption

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.list(
            from: ledger,
            in: table,
            of: group.selection,
            ifEmpty: "There are no vehicles; `ledger vehicle register` makes one."
        ) { snapshot in
            ListedVehicle.all(in: try snapshot.vehicles())
                .filter { group.selection?.includes($0.group) ?? true }
        }
    }
}
