import ArgumentParser
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger recover`.
struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Decides what becomes of a trip whose recorder died on the way.",
        discussion: """
            resume goes on with the trip; what was not recorded is a gap, shown beside the \
            distance. save ends the trip at its last fix. abandon ends it too, and it counts \
            nowhere. The decision is about the trip that `ledger status` shows as recovering, \
            else about the one that is going on.

            Examples:
              ledger recover resume
              ledger recover save --source phone
              ledger recover abandon 6c1f
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "What to do with the trip.")
    var what: RecoveryDecision

    @Argument(help: "The trip: the beginning of its id (default: the one that is recovering).")
    var trip: TripReference?

    @Option(help: "The source whose trip it is, if several have one.", completion: .source)
    var source: String?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let recovery = LedgerDecision.recover(what, trip, source: source)
        try decision.decide(recovery, in: ledger, options, listingChanges: false) { outcome in
            outcome.trips.first.map { sentence($0, ledger) } ?? ""
        }
    }

    /// Returns the present state of the trip, in a sentence.
    private func sentence(_ row: TripRow, _ ledger: Ledger) -> String {
        let shown = TripText(row.booked, unit: ledger.units, clock: ledger.clock)
        let trip = row.trip.id.short
        return switch row.trip.status {
        case .active: "Trip \(trip) goes on: \(shown.distance) so far.\n"
        case .completed: "Trip \(trip) is saved: \(shown.shortFigures).\n"
        case .abandoned: "Trip \(trip) is abandoned; it counts nowhere.\n"
        }
    }
}
