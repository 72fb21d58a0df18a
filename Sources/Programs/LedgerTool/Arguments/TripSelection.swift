import ArgumentParser
import Geodesy
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger
import TripsProjection

/// The options for the places between which trips go, and for trips without a class.
struct WayOptions: ParsableArguments {
    @Option(
        name: .customLong("place"),
        help: ArgumentHelp(
            "Trips that start or end at this place, or others.",
            valueName: "place"
        ),
        completion: .place
    )
    var eitherPlaces: [String] = []

    @Option(
        name: .customLong("from-place"),
        help: ArgumentHelp("Only trips that start at this place, or others.", valueName: "place"),
        completion: .place
    )
    var startPlaces: [String] = []

    @Option(
        name: .customLong("to-place"),
        help: ArgumentHelp("Only trips that end at this place, or others.", valueName: "place"),
        completion: .place
    )
    var endPlaces: [String] = []

    @Flag(help: "Only trips without a class.")
    var unclassified = false

    /// Whether neither a place nor a missing class limits the trips.
    var isUnlimited: Bool {
        (eitherPlaces + startPlaces + endPlaces).isEmpty && !unclassified
    }

    /// Limits a filter.
    ///
    /// - Throws: `LedgerError.notFound` if no place has the name.
    func limit(_ filter: inout TripFilter, in ledger: Ledger, _ places: PlaceBook) throws {
        filter.eitherPlaces = eitherPlaces
        filter.startPlaces = startPlaces
        filter.endPlaces = endPlaces
        filter.places = places
        if unclassified { filter.tripClass = .unclassified }
        for name in eitherPlaces + startPlaces + endPlaces {
            guard places.versions.contains(where: { $0.name.hasSameBytes(as: name) }) else {
                throw LedgerError(
                    noPlace: name,
                    among: places.places.map(\.name),
                    at: ledger.path
                )
            }
        }
    }
}

/// The trips about which a command decides: some that are named, or all that match a filter.
struct TripSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Trips: beginnings of their ids, or last, or active.",
            valueName: "trip"
        )
    )
    var trips: [TripReference] = []

    @OptionGroup(title: "Which trips, instead of their ids") var way: WayOptions

    @Option(
        name: .customLong("whose-class"),
        help: ArgumentHelp("Only trips of this class.", valueName: "class")
    )
    var tripClass: TripClass?

    @Option(
        name: .customLong("whose-purpose"),
        help: ArgumentHelp("Only trips with this purpose.", valueName: "text")
    )
    var purpose: String?

    @Option(
        name: .customLong("whose-vehicle"),
        help: ArgumentHelp("Only trips with this vehicle.", valueName: "name")
    )
    var vehicle: String?

    @Option(
        name: .customLong("whose-driver"),
        help: ArgumentHelp("Only trips of this driver.", valueName: "name")
    )
    var driver: String?

    @Option(help: ArgumentHelp("Only trips with all these words.", valueName: "words"))
    var text: String?

    @OptionGroup(title: "Which trips, instead of their ids") var days: PeriodOptions

    @Flag(name: .shortAndLong, help: "Do not ask before it is done to all of them.")
    var yes = false

    private var isFilter: Bool {
        !way.isUnlimited || !days.isUnlimited || tripClass != nil || purpose != nil
            || vehicle != nil || driver != nil || text != nil
    }

    func validate() throws {
        guard trips.isEmpty == isFilter else {
            throw ValidationError(
                isFilter
                    ? "Name trips, or say which they are: not both."
                    : "Name a trip, such as last, or say which, such as --unclassified --year 2026."
            )
        }
        guard tripClass == nil || !way.unclassified else {
            throw ValidationError("--unclassified is a class: use it without --whose-class.")
        }
        guard text.map({ !TextSearch($0).isEmpty }) ?? true else {
            throw ValidationError(
                "--text has no word in it, and would be met by every trip: say which words."
            )
        }
    }

    /// Makes the same decision about each of the trips.
    ///
    /// People first see the trips of a filter, and are asked; a program must give --yes.
    ///
    /// - Parameters:
    ///   - decision: The options of the decision.
    ///   - ledger: The ledger.
    ///   - options: How the result is written.
    ///   - kind: The trips that a filter chooses from.
    ///   - each: Returns the decision about a trip.
    /// - Throws: `ExitCode` 1 if nothing was accepted; `LedgerError`.
    func decide(
        _ decision: DecisionOptions,
        in ledger: Ledger,
        _ options: GlobalOptions<some FormatChoice>,
        among kind: Kind = .counting,
        about each: (TripReference) -> LedgerDecision
    ) throws {
        // Lists of ids may name a trip twice; the decision about it is made once.
        var chosen: [TripReference] = []
        for trip in trips where !chosen.contains(trip) { chosen.append(trip) }
        if chosen.count == 1 {
            _ = try decision.decide(each(chosen[0]), in: ledger, options)
            return
        }
        if isFilter {
            let group = decision.group.map { GroupSelection($0.name) }
            let found = try found(kind, of: group, in: ledger)
            guard !found.isEmpty else {
                Diagnostic.say("No trip matches.\n")
                let unknown = try ledger.readNow {
                    try $0.unknown(group: group, vehicle: vehicle, driver: driver)
                }
                return Diagnostic.note(unknown)
            }
            guard try yes || isConfirmed(found, in: ledger, options) else { return }
            chosen = found.map { .prefix($0.booked.id.description) }
        }
        try decision.decide(chosen.map(each), in: ledger, options)
    }

    /// The trips from which a filter chooses.
    enum Kind {
        /// Trips that count, or will.
        case counting

        /// Trips with something that `restore` can undo.
        case restorable
    }

    private func found(
        _ kind: Kind,
        of group: GroupSelection?,
        in ledger: Ledger
    ) throws -> [NamedTrip] {
        try ledger.readNow { snapshot in
            if let vehicle {
                try snapshot.requireOneVehicle(named: vehicle, of: group, countingOwner: false)
            }
            let places = try snapshot.places()
            var filter = TripFilter(
                includesUncounted: kind == .restorable,
                period: days.isUnlimited ? nil : try days.period(in: ledger),
                tripClass: tripClass,
                vehicle: vehicle,
                purpose: purpose,
                isOldestFirst: true,
                group: group
            )
            filter.text = text.map { TextSearch($0) }
            if let driver {
                filter.driver = driver
                filter.drivers = try snapshot.drivers()
            }
            try way.limit(&filter, in: ledger, places)
            return try snapshot.trips(filter).map(\.booked)
                .filter { kind == .counting || $0.isRestorable }
                .map { NamedTrip($0, places: places) }
        }
    }

    /// Shows the trips, and asks whether they are meant if there is a person to answer.
    private func isConfirmed(
        _ found: [NamedTrip],
        in ledger: Ledger,
        _ options: GlobalOptions<some FormatChoice>
    ) throws -> Bool {
        try options.list(found, style: .screen(for: ledger))
        let distance = found.reduce(Distance.zero) { $0 + $1.booked.claimedDistance }
        let trips = Count.text(found.count, "trip", "trips")
        let what = "\(trips), \(DistanceText.text(distance, in: ledger.units))"
        guard Terminal.isStandardInput, options.format == .text else {
            Diagnostic.say("\(what). Nothing was decided: add --yes to do it.\n")
            return false
        }
        return Question.isAgreed("\(what). Do it to all of them?")
    }
}
