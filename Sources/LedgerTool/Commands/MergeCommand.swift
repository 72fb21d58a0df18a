import ArgumentParser
import Projections
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger merge`.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Says that two or more trips were one.",
        discussion: """
            The trip that started first shows what all of them measured; nobody measured the way \
            between them, so it is a gap. `ledger restore` of any of them undoes it.

            Trips that were under way at the same time are not merged, for the same way would \
            count twice; nor are trips of different vehicles.

            Examples:
              ledger merge 6c1f 9a02
              ledger merge 6c1f 9a02 b77e --why "Petrol stop"
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trips, two or more: the beginnings of their ids, or last.")
    var trips: [TripReference]

    @Option(help: "Why, for whoever reads the book later.")
    var why: String?

    func validate() throws {
        try options.refuseCSV()
        guard trips.count > 1 else { throw ValidationError("Name two trips or more.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let rows = try trips.map { try ledger.trip($0) }
            .sorted { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
        if let refusal = Refusal(merging: rows.map(\.booked)) { throw refusal.error }
        let merge = TripsMerged(trips: rows.map(\.trip.id), why: why)
        try decision.append(.tripsMerged(merge), to: ledger, options)
        let merged = try rows.prefix(1).map { try ledger.trip(.prefix($0.trip.id.description)) }
        var list = TripList(
            unit: ledger.founding.units,
            places: try ledger.places(),
            format: options.format
        )
        try Output.standard.writing { try list.write(merged, to: $0) }
    }
}
