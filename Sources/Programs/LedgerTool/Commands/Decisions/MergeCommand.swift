import ArgumentParser
import LedgerRows
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger merge`.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges two or more trips into one.",
        discussion: """
            The trip that started first shows what all of them measured; the way between them was \
            not measured, so it is a gap. It keeps its class and purpose for the whole, which is \
            said where another one had others. `ledger restore` of any of them undoes it.

            Trips that were under way at the same time are not merged, for the same way would \
            count twice; nor are trips of different vehicles.

            Examples:
              ledger merge 6c1f 9a02
              ledger merge 6c1f 9a02 b77e --why "Petrol stop"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trips, two or more: the beginnings of their ids, or last.")
    var trips: [TripReference]

    @Option(help: "Why; people who read the book later see it.")
    var why: String?

    func validate() throws {
        guard trips.count > 1 else { throw ValidationError("Name two trips or more.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        // Trips that cannot be looked up are refused with the decision.
        let parts =
            (try? ledger.readNow { snapshot in
                try trips.map { try snapshot.trip($0).booked }
            }) ?? []
        let outcome = try decision.decide(
            .merge(trips, why: why),
            in: ledger,
            options,
            listingChanges: false,
            saying: { outcome in
                outcome.trips.first
                    .map { MergedDetails(parts, into: $0.booked, ledger.units).text } ?? ""
            }
        )
        try options.list(
            outcome.trips.map { NamedTrip($0.booked, places: outcome.places) },
            style: .screen(for: ledger)
        )
    }
}
