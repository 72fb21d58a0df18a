import ArgumentParser
import LedgerRows
import Projections
import Reports
import RoutinesProjection
import Tables
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

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var moment: AsOfOption

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (named, routines, missing) = try ledger.read(asOf: try moment.instant(in: ledger)) {
            (
                try NamedTrip(trip, in: $0), try $0.routines(), try $0.missingEntries()
            )
        }
        try Output.standard.writing { output in
            switch options.format {
            case .json:
                try output.write(
                    [named],
                    NamedTrip.columns.noting(missing),
                    as: .json,
                    style: .screen(for: ledger)
                )
            case .text, .csv, .ids:
                let (unit, clock) = (ledger.units, ledger.clock)
                let shown = TripText(
                    named.booked,
                    unit: unit,
                    clock: clock,
                    places: named.places
                )
                var facts = shown.labelled
                if let unrecorded = named.unrecorded {
                    let distance = DistanceText.text(unrecorded, in: unit)
                    facts.append(("Unrecorded", "\(distance) before it, in a straight line"))
                }
                if named.booked.trip.excluded != .zero {
                    let distance = DistanceText.text(named.booked.trip.excluded, in: unit)
                    let what = "\(distance): see `ledger explain`"
                    facts.append(("Excluded", ProgramName.shown(what)))
                }
                if let overlap = named.overlap {
                    facts.append(("Overlaps", OverlapAdvice.fact(overlap)))
                }
                facts +=
                    InferenceText(
                        named.inferences,
                        beside: named.booked.trip,
                        in: unit,
                        by: clock
                    )
                    .labelled
                facts += named.origins.files.map { ("Recorded in", $0.text) }
                if named.origins.mayBeWithheld {
                    facts.append(("Recorded in", "a file whose name may have been withheld"))
                }
                facts += suggestion(named.booked, routines)
                if let counting = TripCounting(named.booked).text {
                    facts.append(("Counts", Excerpt.escaped(ProgramName.shown(counting))))
                }
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
        let command = ProgramName.shown("`ledger routine suggest \(booked.id.short)`")
        return [("Suggested", "\(name) (see \(command))")]
    }
}
