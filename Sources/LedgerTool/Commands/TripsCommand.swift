import ArgumentParser
import Projections
import SystemPackage
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger trips`.
struct TripsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "Lists trips, newest first.",
        discussion: """
            The distance is the one that counts: measured, unless a person set another one; JSON \
            and CSV have both. Gaps, where nothing was measured, stand beside it and are never \
            inside it. Text shows the newest 100 trips; JSON and CSV have all. \
            --after goes on after a trip, also when others have come meanwhile or that one was \
            voided.

            Examples:
              ledger trips
              ledger trips --year 2025 --class business
              ledger trips --limit 20 --after 6c1f09d2
              ledger trips --all --format csv > trips.csv
            """
    )

    /// What fits into a look.
    private static let defaultLimit = 100
    private static let shownIDByteCount = 12

    @OptionGroup var options: GlobalOptions
    @OptionGroup var days: PeriodOptions

    @Option(name: .customLong("class"), help: "Only trips of this class.")
    var tripClass: TripClass?

    @Option(help: "Only trips with this vehicle.")
    var vehicle: String?

    @Option(help: "Only trips that start or end at this place: its name.")
    var place: String?

    @Option(help: "The most trips to list (default: 100 in text, else all).")
    var limit: Int?

    @Option(
        help: ArgumentHelp("Go on after this trip: the beginning of its id.", valueName: "trip")
    )
    var after: TripReference?

    @Flag(help: "List trips too that came to nothing, were voided or are parts of others.")
    var all = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let limit = limit ?? (options.format == .text ? Self.defaultLimit : nil)
        var list = TripList(
            unit: ledger.founding.units,
            places: try ledger.places(),
            format: options.format
        )
        let filter = try filter(in: ledger, limit: limit)
        var hasMore = false
        try Output.standard.writing { output in
            try list.begin(output)
            if let limit {
                let trips = try ledger.trips(filter)
                for trip in trips.prefix(limit) { try list.add(trip, to: output) }
                hasMore = trips.count > limit
            } else {
                try ledger.readTrips(filter) { trip in
                    try list.add(trip, to: output)
                    return true
                }
            }
            try list.finish(output)
        }
        if let last = list.last, hasMore {
            let id = last.trip.id.description.prefix(Self.shownIDByteCount)
            Diagnostic.say("There are more: add --after \(id) for the next ones.\n")
        } else if list.last == nil, options.format == .text {
            Diagnostic.say("There are no trips to list.\n")
        }
    }

    /// Returns which trips to list: one more than asked for, to know whether there are more.
    private func filter(in ledger: Ledger, limit: Int?) throws -> TripFilter {
        var places = PlaceBook()
        if let place {
            places = try ledger.places()
            guard places.versions.contains(where: { $0.name == place }) else {
                throw LedgerError(
                    .notFound,
                    at: ledger.path.string,
                    cause: "no place is called \(place)",
                    hint: "List all places with `ledger place list`"
                )
            }
        }
        return TripFilter(
            limit: limit.map { min($0, .max - 1) + 1 },
            includesUncounted: all,
            // A ledger whose time zone this machine does not know has a list of all trips too.
            period: days.isUnlimited ? nil : try days.period(in: ledger),
            tripClass: tripClass,
            vehicle: vehicle,
            place: place,
            places: places,
            after: after
        )
    }
}
