import ArgumentParser
import Projections
import TripLedger

/// The command `ledger place list`.
struct PlaceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the places that there are now."
    )

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.list(
            try ledger.read { try $0.places() }.places,
            ifEmpty: "There are no places; `ledger place save` makes one."
        )
    }
}
