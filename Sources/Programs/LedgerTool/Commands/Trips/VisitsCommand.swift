import ArgumentParser
import LedgerRows
import Platform
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
              ledger visits --place Office --month last
              ledger visits --from 2026-03-01T08:00 --to 2026-03-01T18:00
              ledger visits --format csv > visits.csv
            """
    )

    @OptionGroup var positions: PositionOptions<PositionFormat>

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

    @Option(help: "Visits during a year.")
    var year: Int?

    @Option(help: "Visits during a month: 2026-03, this or last.")
    var month: TypedMonth?

    @Option(help: "Visits on one day, such as 2026-03-14, today or yesterday.")
    var day: TypedDay?

    @Option(
        parsing: .unconditional,
        help: "The most visits to list.",
        transform: RowLimit.read
    )
    var limit: Int?

    func validate() throws {
        let said = [year != nil, month != nil, day != nil, from != nil || to != nil]
        guard said.count(where: \.self) <= 1 else {
            throw ValidationError(
                "--year, --month and --day mean all their days: use one, without --from and --to."
            )
        }
        if let year { try PeriodOptions.requireFourDigits(year) }
    }

    /// Returns the first instant of the span that is asked for, and the first after it.
    private func span(in ledger: Ledger) throws -> (from: Timestamp?, to: Timestamp?) {
        guard year != nil || month != nil || day != nil else {
            return (
                try from?.time(in: ledger).timestamp, try to?.end(in: ledger).timestamp
            )
        }
        let today = try ledger.requireClock().day(of: EventTime(WallClock.now))
        let days =
            year.flatMap { AskedDays("\($0)") } ?? month?.days(on: today)
            ?? day.map { AskedDays($0.day(on: today)) }
        return (
            try days.map { try TypedTime.day(.date($0.first)).time(in: ledger).timestamp },
            try days.map { try TypedTime.day(.date($0.last)).end(in: ledger).timestamp }
        )
    }

    func run() throws {
        let ledger = try positions.open()
        defer { ledger.close() }
        let span = try span(in: ledger)
        let filter = VisitFilter(
            place: place,
            source: source,
            group: group.selection,
            from: span.from,
            to: span.to,
            limit: limit
        )
        var unknown: UnknownName?
        let (places, found, missing) = try ledger.readNow { snapshot in
            let places = try snapshot.places()
            try requirePlace(among: places, of: ledger)
            if let source { try snapshot.requireSource(named: source) }
            let found = try snapshot.visits(filter)
            if found.isEmpty { unknown = try snapshot.unknown(group: group.selection) }
            return (places, found, try snapshot.missingEntries(of: group.selection))
        }
        try positions.list(
            found,
            style: positions.table.style(for: ledger),
            noting: missing,
            ifEmpty: places.isEmpty
                ? "There are no places; `ledger place save` makes one."
                : "There are no visits to list."
        )
        Diagnostic.note(unknown)
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
