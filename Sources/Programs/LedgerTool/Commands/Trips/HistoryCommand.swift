import ArgumentParser
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger history`.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists every change that people made to a trip, or to the whole book.",
        discussion: """
            One line for each field that a decision changed, first decision first: what it was, \
            what it became, who decided it, why, and how many days after the trip the ledger got \
            to know.

            With --all, the audit trail of the whole book: the changes of all trips, and what \
            was said of all that trips go by: places, vehicles, odometers, routines, custom \
            fields, rules and clocks; and what was erased. With days, the changes of the trips \
            that started on them, whenever they were made, the expenses of these days, and the \
            settings that were made then, or later if they may alter what is said of these days.

            Examples:
              ledger history last
              ledger history 6c1f --format csv > history.csv
              ledger history --all --year 2025 --actor Eva
              ledger history --all --trip 6c1f --trip 35e6
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference?

    @Flag(help: "List the changes of all trips, and of settings.")
    var all = false

    @OptionGroup var days: PeriodOptions

    @Option(help: "Only what this person decided; with --all.")
    var actor: String?

    @Option(
        name: .customLong("trip"),
        help: ArgumentHelp(
            "Only the changes of this trip; with --all. Say it again for others.",
            valueName: "trip"
        )
    )
    var onlyTrips: [TripReference] = []

    @Option(
        parsing: .unconditional,
        help: "The most changes to list: the last ones.",
        transform: RowLimit.read
    )
    var limit: Int?

    func validate() throws {
        guard all == (trip == nil) else {
            throw ValidationError("Name a trip, such as last, or say --all.")
        }
        let isLimited =
            !days.isUnlimited || days.timeZone != nil || actor != nil || !onlyTrips.isEmpty
        guard all || !isLimited else {
            throw ValidationError("Days, --time-zone, --actor and --trip go with --all.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        if let trip { try list(trip, of: ledger) } else { try listAll(of: ledger) }
    }

    private func listAll(of ledger: Ledger) throws {
        let period = days.isUnlimited ? nil : try days.period(in: ledger)
        var unknown: UnknownName?
        let (trail, missing) = try ledger.readNow { snapshot in
            let trips = Set(try onlyTrips.map { try snapshot.trip($0).trip.id })
            var trail = try snapshot.auditTrail(in: period, by: actor)
            if !trips.isEmpty {
                trail.removeAll { !($0.trip.map(trips.contains) ?? false) }
            }
            if let actor, trail.isEmpty {
                unknown = UnknownName(
                    actor,
                    among: try snapshot.auditTrail().compactMap(\.actor),
                    "\(actor) has decided nothing",
                    heading: "Those who have",
                    ifNone: "No decision names its actor yet; --actor or LEDGER_ACTOR sets one"
                )
            }
            return (trail, try snapshot.missingEntries())
        }
        try options.list(
            limited(trail),
            in: table,
            style: table.style(for: ledger),
            noting: missing,
            ifEmpty: "Nothing was decided."
        )
        Diagnostic.note(unknown)
    }

    private func limited<Row>(_ rows: [Row]) -> [Row] {
        limit.map { Array(rows.suffix($0)) } ?? rows
    }

    private func list(_ trip: TripReference, of ledger: Ledger) throws {
        let (trip, history, missing) = try ledger.readNow { snapshot in
            let trip = try snapshot.trip(trip).trip.id
            return (trip, try snapshot.history(of: trip), try snapshot.missingEntries())
        }
        try options.list(
            limited(history),
            in: table,
            style: table.style(for: ledger),
            without: ["trip"],
            noting: missing,
            ifEmpty: "Nothing was decided about trip \(trip.short)."
        )
    }
}
