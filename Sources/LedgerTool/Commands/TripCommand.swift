import ArgumentParser
import Projections
import RoutinesProjection
import RowFormats
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger trip`.
struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip",
        abstract: "Shows one trip.",
        discussion: """
            Examples:
              ledger trip last
              ledger trip active
              ledger trip 6c1f
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var moment: AsOfOption

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (row, places, routines, missing, unrecorded, overlap, inferences, origins) =
            try ledger.read(
                asOf: try moment.instant(in: ledger)
            ) { snapshot in
                let row = try snapshot.trip(trip)
                let (unrecorded, overlaps) = try snapshot.relateTrips(into: Distance?.none) {
                    if $1.later.trip == row.trip.id { $0 = $1.distance }
                }
                return (
                    row, try snapshot.places(), try snapshot.routines(),
                    try snapshot.missingEntries(), unrecorded, overlaps[row.trip.id],
                    Array(try snapshot.inferences(beside: row.booked).reversed()),
                    try snapshot.origins(of: row.booked)
                )
            }
        try Output.standard.writing { output in
            switch options.format {
            case .json:
                let named = NamedTrip(
                    row.booked,
                    places: places,
                    unrecorded: unrecorded,
                    overlap: overlap,
                    inferences: inferences,
                    origins: origins
                )
                try output.write(
                    [named],
                    NamedTrip.columns.noting(missing),
                    as: .json
                )
            case .text, .csv:
                let unit = ledger.founding.units
                let shown = TripText(row.booked, unit: unit, places: places)
                var facts = shown.labelled
                if let unrecorded {
                    let distance = DistanceText.text(unrecorded, in: unit)
                    facts.append(("Unrecorded", "\(distance) before it, in a straight line"))
                }
                if row.trip.excluded != .zero {
                    let distance = DistanceText.text(row.trip.excluded, in: unit)
                    facts.append(("Excluded", "\(distance) besides: see `ledger explain`"))
                }
                if let overlap {
                    facts.append(("Overlaps", OverlapAdvice.fact(overlap)))
                }
                facts += InferenceText(inferences, beside: row.trip, in: unit).labelled
                facts += origins.files.map { ("Recorded in", $0.text) }
                if origins.mayBeWithheld {
                    facts.append(("Recorded in", "a file whose name may have been withheld"))
                }
                facts += suggestion(row.booked, routines)
                try output.writeHead(missing)
                try output.write(FactSheet(facts).text(width: Screen.columnCount))
            }
        }
    }

    /// Returns the routine that fits a trip without details, if one was applied to a trip between
    /// the same places.
    private func suggestion(
        _ booked: BookedTrip,
        _ routines: RoutineCatalogue
    ) -> [(label: String, fact: String)] {
        guard !booked.hasDetails else { return [] }
        let best = routines.suggestions(for: booked).first
        guard let best, best.hasSamePlaces else { return [] }
        let name = Excerpt.escaped(best.summary.routine.name)
        return [("Suggested", "\(name) (see `ledger routine suggest \(booked.id.short)`)")]
    }
}
