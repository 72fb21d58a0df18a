import ArgumentParser
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger adjust`.
struct AdjustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adjust",
        abstract: "Sets the distance of a trip by hand.",
        discussion: """
            The distance that is set counts from now on; the measured one is kept and shown beside \
            it. `ledger restore` takes the adjustment back.

            Examples:
              ledger adjust last --km 21.4 --why "Odometer; no signal in the tunnel"
              ledger adjust 6c1f --miles 13.3 --why "Odometer"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @OptionGroup var distance: DistanceOptions

    @Option(help: "Why; people who read the book later see it.")
    var why: String

    func validate() throws {
        try distance.require()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let adjustment = LedgerDecision.adjust(
            trip,
            distanceMeters: try distance.distanceMeters,
            why: why
        )
        try decision.decide(adjustment, in: ledger, options) { outcome in
            let claims = outcome.trips.map { row in
                TripText(row.booked, unit: ledger.units, clock: ledger.clock)
                    .claimBesideMeasurement + "\n"
            }
            return DecisionOptions.effect(outcome) + claims.joined()
        }
    }
}
