import ArgumentParser
import SystemPackage
import TripEvents
import TripLedger

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
              ledger place save Office --lat 51.942 --lon 4.485 --radius 150 --label "ACME, gate 2"
              ledger place save "Day care" --here --skip --since 2026-01-01T00:00:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the place.")
    var name: String

    @OptionGroup var location: LocationOptions

    @Option(parsing: .unconditional, help: "How far it reaches, in metres (default: 100).")
    var radius: ExactDecimal?

    @Option(help: "What people see instead of the name.")
    var label: String?

    @Flag(inversion: .prefixedNo, help: "A stop here never ends a trip.")
    var skip: Bool?

    @Flag(inversion: .prefixedNo, help: "Tell the driver on arrival.")
    var notifyEntry: Bool?

    @Flag(inversion: .prefixedNo, help: "Tell the driver on departure.")
    var notifyExit: Bool?

    @Option(
        help: ArgumentHelp("From when on it is so (default: now).", valueName: "time")
    )
    var since: EventTime?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let position = try ledger.read { try location.position(in: $0) }
        var edit = PlaceEdit()
        edit.latitude = position?.latitude
        edit.longitude = position?.longitude
        edit.radiusMeters = radius
        edit.label = label
        edit.skips = skip
        edit.notifiesOnEntry = notifyEntry
        edit.notifiesOnExit = notifyExit
        try decision.decide(.savePlace(name, edit), at: since, in: ledger, options) { outcome in
            guard case .placeSaved(let saved) = outcome.event.body else { return "" }
            let around = "\(saved.latitude), \(saved.longitude), \(saved.radiusMeters) m around it"
            return "\(Excerpt.escaped(name)) is at \(around)\(position?.remark ?? "").\n"
        }
    }
}
