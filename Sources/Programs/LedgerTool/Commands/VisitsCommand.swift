import ArgumentParser
import Projections
import TripEvents
import TripLedger

/// The command `ledger visits`.
struct VisitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits",
        abstract: "Lists when places were entered and left, newest first.",
        discussion: """
            Visits are found in all usable fixes, whether or not a trip was under way. A place is \
            entered with the first fix within its radius, and left with the first one more than \
            50 m beyond it: drift at the edge is neither. LAST INSIDE is the last fix within the \
            radius. Each place is visited by itself, so that visits may overlap. geojson, gpx and \
            kml have each as a point in the middle of its place.

            Examples:
              ledger visits --limit 10
              ledger visits --place Office --from 2026-03-01T00:00:00+01:00
              ledger visits --format csv > visits.csv
            """
    )

    @OptionGroup var positions: PositionOptions

    @Option(help: "List visits of this place only.", completion: .place)
    var place: String?

    @Option(help: "List visits of this source only.", completion: .source)
    var source: String?

    @OptionGroup var group: GroupOption

    @Option(
        help: ArgumentHelp(
            "Leave out visits that ended before this moment or day.",
            valueName: "time"
        )
    )
    var from: TypedTime?

    @Option(
        help: ArgumentHelp(
            "Leave out visits from this moment on, or after this day.",
            valueName: "time"
        )
    )
    var to: TypedTime?

    @Option(
        parsing: .unconditional,
        help: "The most visits to list.",
        transform: RowLimit.read
    )
    var limit: Int?

    func run() throws {
        let ledger = try positions.open()
        defer { ledger.close() }
        let filter = VisitFilter(
            place: place,
            source: source,
            group: group.selection,
            from: try from?.time(in: ledger).timestamp,
            to: try to?.end(in: ledger).timestamp,
            limit: limit
        )
        let (places, found, missing) = try ledger.readNow { snapshot in
            let places = try snapshot.places()
            try requirePlace(among: places, of: ledger)
            let found = try snapshot.visits(filter)
            return (places, found, try snapshot.missingEntries())
        }
        try positions.list(
            found,
            style: positions.table.style(for: ledger),
            noting: missing,
            ifEmpty: places.isEmpty
                ? "There are no places; `ledger place save` makes one."
                : "There are no visits to list."
        )
        if found.isEmpty, let source { try Diagnostic.noteIfUnknown(source: source, in: ledger) }
    }

    private func requirePlace(among places: PlaceBook, of ledger: Ledger) throws {
        guard let place else { return }
        let names = places.versions.map(\.name)
        guard names.contains(where: { $0.hasSameBytes(as: place) }) else {
            throw LedgerError(
                noPlace: place,
                among: places.places.map(\.name),
                at: ledger.path
            )
        }
    }
}
