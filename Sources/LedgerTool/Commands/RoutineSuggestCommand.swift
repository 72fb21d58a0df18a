import ArgumentParser
import Projections
import RoutinesProjection
import RowFormats
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
        let (booked, catalogue) = try ledger.read { snapshot in
            (try snapshot.trip(trip).booked, try snapshot.routines())
        }
        try options.list(
            catalogue.suggestions(for: booked),
            ifEmpty: booked.hasDetails
                ? "Trip \(booked.id.short) says what it was for already."
                : "There are no routines; `ledger routine save` makes one."
        )
    }
}
