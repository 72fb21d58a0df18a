import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Computes a trip again from the log and prints every event with its verdict.",
        discussion: """
            The sum of what the fixes add is the trip's distance. If the view of trips says \
            something else, the exit code is 1. With --format json the last line is the trip.

            Examples:
              ledger explain last
              ledger explain 6c1f --format csv > trip.csv
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (explanation, places) = try ledger.read { snapshot in
            (try snapshot.explain(trip), try snapshot.places())
        }
        let shown = ShownExplanation(
            explanation,
            unit: ledger.founding.units,
            places: places
        )
        try Output.standard.writing { try shown.write(to: $0, as: options.format) }
        guard explanation.isConfirmed else {
            Diagnostic.say(
                "ledger: error: the view of trips says something else about this trip\n"
                    + "Make the views anew with `ledger project --rebuild`.\n"
            )
            throw ExitCode(1)
        }
    }
}
