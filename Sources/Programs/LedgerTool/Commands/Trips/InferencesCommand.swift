import ArgumentParser
import Projections
import TripEvents
import TripLedger

/// The command `ledger inferences`.
struct InferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inferences",
        abstract: "Lists what Google and other apps made of where you were, newest first.",
        discussion: """
            Stays and ways that others inferred are kept as evidence. They were not measured, and \
            what they claim changes no trip and no distance. Of a trip, those are listed that \
            overlap it in time, and end within 1 km of one of its ends if they are of another \
            source; `ledger trip` and `ledger explain` show them beside it.

            With --make-trips the ways that are listed become trips that you report: not measured, \
            with the distance that was claimed, and named after who inferred them. Ways beside \
            which there is a trip already are left out, so that it can be said again.

            Examples:
              ledger inferences --limit 10
              ledger inferences last
              ledger inferences --kind visit --from 2026-03-01T00:00:00+01:00
              ledger inferences --format csv > inferences.csv
              ledger inferences --make-trips --vehicle van --from 2024-01-01
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Argument(help: "Only those beside this trip: the beginning of its id, or last, or active.")
    var trip: TripReference?

    @Option(help: "List only stays (visit) or only ways (activity).")
    var kind: InferenceKind?

    @Option(help: "List those of this source only.", completion: .source)
    var source: String?

    @Option(
        help: ArgumentHelp("Leave out what ended before this moment or day.", valueName: "time")
    )
    var from: TypedTime?

    @Option(
        help: ArgumentHelp(
            "Leave out what began at this moment or later, or after this day.",
            valueName: "time"
        )
    )
    var to: TypedTime?

    @Option(
        parsing: .unconditional,
        help: "The most to list.",
        transform: RowLimit.read
    )
    var limit: Int?

    @Flag(help: "Make reported trips of the ways, where there is none yet.")
    var makeTrips = false

    @Option(help: "With --make-trips: only of ways by this mode (default: car).")
    var mode: TravelMode?

    @Option(help: "With --make-trips: the vehicle of these trips.", completion: .vehicle)
    var vehicle: String?

    @OptionGroup var decision: DecisionOptions

    func validate() throws {
        guard makeTrips || mode == nil else {
            throw ValidationError("--mode says of which ways --make-trips makes trips.")
        }
        guard makeTrips || vehicle == nil, vehicle != "" else {
            throw ValidationError("--vehicle names the vehicle of the trips of --make-trips.")
        }
        guard !makeTrips || (trip == nil && kind != .visit) else {
            throw ValidationError(
                "--make-trips makes trips of ways: leave the trip and --kind out."
            )
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let filter = InferenceFilter(
            kind: kind,
            source: source,
            from: try from?.time(in: ledger).timestamp,
            to: try to?.end(in: ledger).timestamp,
            limit: limit
        )
        if makeTrips {
            let maker = InferredTrips(filter, mode: mode ?? .car, vehicle: vehicle)
            return try maker.report(in: ledger, decision, options)
        }
        try options.list(
            from: ledger,
            in: table,
            ifEmpty: "There is nothing that others inferred."
        ) { snapshot in
            if let source { try snapshot.requireSource(named: source) }
            guard let trip else { return try snapshot.inferences(filter) }
            return try snapshot.inferences(filter, beside: try snapshot.trip(trip).booked)
        }
    }
}
