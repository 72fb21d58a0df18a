import ArgumentParser
import LedgerRows
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger exclude`.
struct ExcludeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Takes a stretch out of a trip's distance, such as a ferry or a car train.",
        discussion: """
            What the fixes after --from up to --to add is no distance any more, and is shown \
            beside it. When the trip began and ended stays as it is. `ledger restore` of the trip \
            takes it back.

            Examples:
              ledger exclude last --from 09:10 --to 10:40 --why "Ferry to Texel"
              ledger exclude 6c1f --from 2025-03-03T09:10 --to 10:40 --why "Car train"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @Option(
        help: ArgumentHelp(
            "When the stretch begins: 09:10 or 2025-03-03T09:10 as the clock of the trip "
                + "showed it, 2025-03-03T09:10:00+01:00, or milliseconds since 1970.",
            valueName: "time"
        )
    )
    var from: TripTime

    @Option(help: ArgumentHelp("When it ends.", valueName: "time"))
    var to: TripTime

    @Option(help: "Why; people who read the book later see it.")
    var why: String

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let exclusion = LedgerDecision.exclude(trip, from: from, to: to, why: why)
        let outcome = try decision.decide(
            exclusion,
            in: ledger,
            options,
            listingChanges: false,
            saying: { _ in "" }
        )
        try options.list(
            outcome.trips.map { NamedTrip($0.booked, places: outcome.places) },
            style: .screen(for: ledger)
        )
    }
}
