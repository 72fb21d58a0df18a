import ArgumentParser
import RoutinesProjection
import RowFormats
import TripLedger

/// The command `ledger routine list`.
struct RoutineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "Lists routines, how often they were applied, and what their trips have in common."
    )

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let routines = try ledger.read { snapshot in
            let places = try snapshot.places()
            return try snapshot.routines().routines.map { ListedRoutine($0, places: places) }
        }
        try options.list(
            routines,
            ifEmpty: "There are no routines; `ledger routine save` makes one."
        )
    }
}
