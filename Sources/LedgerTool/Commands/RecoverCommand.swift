import ArgumentParser
import Projections
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

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "What to do with the trip.")
    var what: RecoveryDecision

    @Argument(help: "The trip: the beginning of its id (default: the one that is recovering).")
    var trip: TripReference?

    @Option(help: "The source whose trip it is, if several have one.")
    var source: String?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let now = WallClock.now
        var status = try ledger.status(asOf: now)
        try status.keep(source: source, of: ledger)
        let named = try trip.map { try ledger.trip($0).trip.id }
        let open = try OpenTrips(status).trip(named, in: ledger)
        let body = EventBody.recoveryDecided(
            RecoveryDecided(trip: open.id, tripStartedAt: open.startedAt, decision: what)
        )
        let receipt = try OneEvent(decision.event(body, now: now), isTimedByClock: true)
            .append(to: ledger, now: now, options)
        guard options.format == .text, case .appended = receipt else { return }
        let row = try ledger.trip(.prefix(open.id.description))
        let shown = ShownTrip(row.booked, unit: ledger.founding.units)
        try Output.standard.writing { try $0.write(outcome(row.trip, shown)) }
    }

    /// Returns what has become of the trip, in a sentence.
    private func outcome(_ trip: Trip, _ shown: ShownTrip) -> String {
        switch trip.status {
        case .active: "Trip \(trip.id.short) goes on: \(shown.distance) so far.\n"
        case .completed: "Trip \(trip.id.short) is saved: \(shown.shortFigures).\n"
        case .abandoned: "Trip \(trip.id.short) is abandoned; it counts nowhere.\n"
        }
    }
}
