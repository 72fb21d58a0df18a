import ArgumentParser
import LedgerRows
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger split`.
struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Splits a trip in two at a time during it.",
        discussion: """
            Both trips are measured from the same fixes, and together they are the whole: the \
            first one ends where the last fix before that time was, and the second one starts \
            there. The first keeps the trip's id and what was said about it. `ledger restore` of \
            the first makes the trip whole again.

            Examples:
              ledger split last --at 08:45
              ledger split 6c1f --at 2025-03-03T08:45 --why "Dropped the children at school"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @Option(
        help: ArgumentHelp(
            "When the second trip starts: 08:45 or 2025-03-03T08:45 as the clock of the trip "
                + "showed it, 2025-03-03T08:45:00+01:00, or milliseconds since 1970.",
            valueName: "time"
        )
    )
    var at: TripTime

    @Option(help: "Why; people who read the book later see it.")
    var why: String?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let split = LedgerDecision.split(trip, at: at, why: why)
        let outcome = try decision.decide(
            split,
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
