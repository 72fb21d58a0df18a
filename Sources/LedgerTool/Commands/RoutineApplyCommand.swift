import ArgumentParser
import Projections
import RoutinesProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger routine apply`.
struct RoutineApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies a routine to a trip.",
        discussion: """
            What the routine says replaces what the trip says; what it does not mention stays.

            Example:
              ledger routine apply last Office
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @Argument(help: "The name of the routine.")
    var name: String

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let trip = try ledger.trip(trip).trip
        try ledger.routines().expect(name, at: ledger.path)
        let application = RoutineApplied(
            trip: trip.id,
            tripStartedAt: trip.startedAt,
            routine: name
        )
        try decision.append(.routineApplied(application), about: trip.id, to: ledger, options)
    }
}
