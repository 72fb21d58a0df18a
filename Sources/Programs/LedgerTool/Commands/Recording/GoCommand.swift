import ArgumentParser
import RoutinesProjection
import Tables
import TripEvents
import TripLedger

/// The command `ledger go`.
struct GoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "go",
        abstract: "Records that the driver pressed GO.",
        discussion: """
            A trip starts, unless one is going on. With --routine the trip says what the routine \
            says, until a person edits it. With --odometer at both ends a trip needs no device \
            that records it: where no position says how far it went, the odometer does.

            Examples:
              ledger go
              ledger go --routine Office
              ledger go --vehicle van --odometer 123456.7
              ledger go --source phone --vehicle van --at 2026-03-14T08:30:00+01:00
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
            .goPressed(GoPressed(vehicle: vehicle, routine: routine, driver: driver)),
            odometer: odometer,
            options
        )
        if let routine, options.format == .text { try warn(ofUnknown: routine) }
    }

    /// Warns that a routine does not exist; the press counts all the same.
    private func warn(ofUnknown routine: String) throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let routines = try ledger.readNow { try $0.routines() }
        guard routines.routine(named: routine) == nil else { return }
        Diagnostic.say(
            "There is no routine \(Excerpt.escaped(routine)), so the trip has no details yet; "
                + "`ledger routine list` lists those that there are.\n"
        )
    }
}
