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
        let places = ShownPlaces(try ledger.places().places)
        try Output.standard.writing { try places.write(to: $0, as: options.format) }
        if places.isEmpty, options.format == .text {
            Diagnostic.say("There are no places; `ledger place save` makes one.\n")
        }
    }
}
