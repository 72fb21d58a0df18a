import ArgumentParser
import Geodesy
import Projections
import SystemPackage
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger place`.
struct PlaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Names places, such as home and office.",
        discussion: """
            Trips show the names of the places where they start and end. A name that is given \
            today holds for earlier trips as well; when a place moves, earlier trips keep the old \
            one.

            Examples:
              ledger place save Home --at-trip-start last
              ledger place save Office --lat 51.942 --lon 4.485 --radius 150
              ledger place list
            """,
        subcommands: [PlaceSaveCommand.self, PlaceListCommand.self, PlaceRemoveCommand.self]
    )
}

/// The command `ledger place save`.
struct PlaceSaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Saves a place, or changes it.",
        discussion: """
            What is left out stays as it was saved before. A stop at a place with --skip never \
            ends a trip: that concerns trips from now on, or from --since on.

            Examples:
              ledger place save Home --at-trip-start last
              ledger place save Office --lat 51.942 --lon 4.485 --label "ACME, gate 2"
              ledger place save Office --address "Stationsweg 3, Rotterdam"
              ledger place save "Day care" --here --skip --since 2026-01-01T00:00:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the place.", completion: .place)
    var name: String

    @OptionGroup var location: LocationOptions

    @Option(parsing: .unconditional, help: "How far it reaches, in metres (default: 100).")
    var radius: ExactDecimal?

    @Option(help: "What people see instead of the name.")
    var label: String?

    @Option(help: "Its address, which sheets have beside the name.")
    var address: String?

    @Flag(inversion: .prefixedNo, help: "A stop here never ends a trip.")
    var skip: Bool?

    @Flag(inversion: .prefixedNo, help: "Tell the driver on arrival.")
    var notifyEntry: Bool?

    @Flag(inversion: .prefixedNo, help: "Tell the driver on departure.")
    var notifyExit: Bool?

    @Option(
        help: ArgumentHelp("The time from which it is so (default: now).", valueName: "time")
    )
    var since: TypedTime?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let position = try ledger.readNow { try location.position(in: $0) }
        var edit = PlaceEdit()
        edit.latitude = position?.latitude
        edit.longitude = position?.longitude
        edit.radiusMeters = radius
        edit.label = label.map { .set($0) } ?? .unchanged
        edit.address = address.map { .set($0) } ?? .unchanged
        edit.skips = skip
        edit.notifiesOnEntry = notifyEntry
        edit.notifiesOnExit = notifyExit
        try decision.decide(
            .savePlace(name, edit),
            at: try since?.time(in: ledger),
            in: ledger,
            options
        ) { outcome in
            guard case .placeSaved(let saved) = outcome.event.body else { return "" }
            let around = "\(saved.latitude), \(saved.longitude), \(saved.radiusMeters) m around it"
            return "\(Excerpt.escaped(name)) is at \(around)\(position?.remark ?? "").\n"
        }
    }
}

/// The options that say where a place is.
struct LocationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where a trip started.", valueName: "trip"))
    var atTripStart: TripReference?

    @Option(help: ArgumentHelp("Where a trip ended.", valueName: "trip"))
    var atTripEnd: TripReference?

    @Flag(help: "Where the latest usable fix was taken.")
    var here = false

    @Option(parsing: .unconditional, help: "Latitude in degrees, -90 to 90, north positive.")
    var lat: ExactDecimal?

    @Option(parsing: .unconditional, help: "Longitude in degrees, -180 to 180, east positive.")
    var lon: ExactDecimal?

    func validate() throws {
        guard (lat == nil) == (lon == nil) else {
            throw ValidationError("--lat and --lon belong together.")
        }
        let ways = [atTripStart != nil, atTripEnd != nil, here, lat != nil].filter(\.self)
        guard ways.count <= 1 else {
            throw ValidationError("Say in one way only where the place is.")
        }
    }

    /// Returns the position that the options name, or `nil` if they name none.
    func position(in snapshot: borrowing Snapshot) throws -> NamedPosition? {
        if let lat, let lon { return NamedPosition(lat, lon) }
        if here { return try latestPosition(in: snapshot) }
        guard let reference = atTripStart ?? atTripEnd else { return nil }
        let isStart = atTripStart != nil
        let trip = try snapshot.trip(reference).trip
        let remark = ", where trip \(trip.id.short) \(isStart ? "started" : "ended")"
        let end = isStart ? trip.start : trip.end
        guard let position = end.flatMap({ NamedPosition($0, remark: remark) }) else {
            throw LedgerError(
                .notFound,
                at: snapshot.path.string,
                cause: "trip \(trip.id.short) has no \(isStart ? "start" : "end") with a position",
                hint: "Name another trip, or say --lat and --lon"
            )
        }
        return position
    }

    private func latestPosition(in snapshot: borrowing Snapshot) throws -> NamedPosition {
        guard let stored = try snapshot.latestFix(), case .fixRecorded(let fix) = stored.event.body
        else {
            throw LedgerError(
                .notFound,
                at: snapshot.path.string,
                cause: "there is no usable fix yet",
                hint: "Say --lat and --lon"
            )
        }
        let time = EventTime(stored.event.occurredAt, utcOffset: stored.event.utcOffset)
        let source = Excerpt.escaped(stored.event.source)
        let remark = ", where \(source) was on \(LocalTime.text(time.told(by: snapshot.clock)))"
        return NamedPosition(fix.latitude, fix.longitude, remark: remark)
    }
}

/// A position that a person named in one way or another.
struct NamedPosition {
    /// Latitude in degrees.
    let latitude: ExactDecimal

    /// Longitude in degrees.
    let longitude: ExactDecimal

    /// Its origin, as the end of a sentence; empty if it was typed.
    let remark: String

    /// Creates a position that was typed or reported.
    init(_ latitude: ExactDecimal, _ longitude: ExactDecimal, remark: String = "") {
        self.latitude = latitude
        self.longitude = longitude
        self.remark = remark
    }

    /// Creates the position of one end of a trip, in as few digits as give it back exactly.
    init?(_ coordinate: Coordinate, remark: String) {
        guard let latitude = ExactDecimal(literal: "\(coordinate.latitude)"),
            let longitude = ExactDecimal(literal: "\(coordinate.longitude)")
        else { return nil }
        self.init(latitude, longitude, remark: remark)
    }
}

/// The command `ledger place list`.
struct PlaceListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the places that there are now.",
        discussion: """
            geojson, gpx and kml have each as a point, for maps and devices.

            Examples:
              ledger place list
              ledger place list --format gpx > places.gpx
            """
    )

    @OptionGroup var positions: PositionOptions<PlaceFormat>

    func run() throws {
        let ledger = try positions.open()
        defer { ledger.close() }
        let (places, missing) = try ledger.readNow { snapshot in
            (try snapshot.places().places, try snapshot.missingEntries())
        }
        try positions.list(
            places,
            style: positions.table.style(for: ledger),
            noting: missing,
            ifEmpty: "There are no places; `ledger place save` makes one."
        )
    }
}

/// The command `ledger place remove`.
struct PlaceRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a place; earlier trips keep its name.",
        discussion: """
            Example:
              ledger place remove "Day care" --since 2026-08-01T00:00:00+02:00
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the place.", completion: .place)
    var name: String

    @Option(
        help: ArgumentHelp("The time from which it is no place (default: now).", valueName: "time")
    )
    var since: TypedTime?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(
            .removePlace(name),
            at: try since?.time(in: ledger),
            in: ledger,
            options
        )
    }
}
