import ArgumentParser
import Projections
import RoutinesProjection
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger routine suggest`.
struct RoutineSuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Lists the routines that may fit a trip, best first.",
        discussion: """
            Best are those that were applied to a trip between the same places, to 250 m, then \
            those at about the same time of day, then those that were used last. Nothing is \
            applied: `ledger routine apply` does that.

            Example:
              ledger routine suggest last
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let booked = try ledger.trip(trip).booked
        let catalogue = try ledger.routines()
        let shown = ShownSuggestions(catalogue.suggestions(for: booked))
        try Output.standard.writing { try shown.write(to: $0, as: options.format) }
        guard shown.isEmpty, options.format == .text else { return }
        Diagnostic.say(
            booked.hasDetails
                ? "Trip \(booked.id.short) says what it was for already.\n"
                : "There are no routines; `ledger routine save` makes one.\n"
        )
    }
}
