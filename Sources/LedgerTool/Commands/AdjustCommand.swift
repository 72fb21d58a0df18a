import ArgumentParser
import Projections
import TripEvents
import TripLedger
import TripTracking
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

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @OptionGroup var distance: DistanceOptions

    @Option(help: "Why, for whoever reads the book later.")
    var why: String

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let row = try ledger.trip(trip)
        let trip = row.trip
        let adjustment = DistanceAdjusted(
            trip: trip.id,
            tripStartedAt: trip.startedAt,
            distanceMeters: try distance.distanceMeters,
            why: why
        )
        try decision.append(.distanceAdjusted(adjustment), about: trip.id, to: ledger, options)
        guard options.format == .text else { return }
        let lead = row.booked.mergedInto ?? trip.id
        let booked = try ledger.trip(.prefix(lead.description)).booked
        let shown = ShownTrip(booked, unit: ledger.founding.units)
        try Output.standard.writing { try $0.writeLine(shown.claimBesideMeasurement) }
    }
}
