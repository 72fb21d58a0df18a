import ArgumentParser
import Projections
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

    /// How far a new place reaches, in metres.
    private static let usualRadius = ExactDecimal(100)

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
        let old = try ledger.places().place(named: name)?.saving
        let position = try location.position(in: ledger)
        guard let latitude = position?.latitude ?? old?.latitude,
            let longitude = position?.longitude ?? old?.longitude,
            let radius = radius ?? old?.radiusMeters ?? Self.usualRadius
        else {
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "there is no place \(name) yet, and nothing says where it is",
                hint: "Say --at-trip-start TRIP, --at-trip-end TRIP, --here, or --lat and --lon"
            )
        }
        let saving = PlaceSaved(
            place: name,
            latitude: latitude,
            longitude: longitude,
            radiusMeters: radius,
            label: label ?? old?.label,
            skips: skip ?? old?.skips,
            notifiesOnEntry: notifyEntry ?? old?.notifiesOnEntry,
            notifiesOnExit: notifyExit ?? old?.notifiesOnExit
        )
        try decision.append(.placeSaved(saving), at: since, to: ledger, options)
        guard options.format == .text else { return }
        let around = "\(saving.latitude), \(saving.longitude), \(saving.radiusMeters) m around it"
        let shown = "\(Excerpt.escaped(name)) is at \(around)\(position?.remark ?? "").\n"
        try Output.standard.writing { try $0.write(shown) }
    }
}
