import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger trips`.
struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "Lists trips, newest first.",
        discussion: """
            The distance is what was measured. Gaps, where nothing was measured, stand beside it \
            and are never inside it.

            Examples:
              ledger trips
              ledger trips --limit 10
              ledger trips --all --format csv > trips.csv
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "The most trips to list.")
    var limit: Int?

    @Flag(help: "List trips too that came to nothing, were voided or are parts of others.")
    var all = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let trips = try ledger.trips(TripFilter(limit: limit, includesUncounted: all))
        let places = try ledger.places()
        let list = TripList(trips, unit: ledger.founding.units, places: places)
        try Output.standard.writing { try list.write(to: $0, as: options.format) }
        if trips.isEmpty, options.format == .text {
            Diagnostic.say("There are no trips to list.\n")
        }
    }
}
