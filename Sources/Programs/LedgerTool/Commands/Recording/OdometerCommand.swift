import ArgumentParser
import Projections
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger odometer`.
struct OdometerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "odometer",
        abstract: "Records what an odometer shows, or compares it with the trips.",
        discussion: """
            With --list, each reading stands with how far the odometer went since the one before, \
            the distance of the vehicle's trips that started in between, and the share of the \
            first that the second explains. REST is what is left. Up to 3 % of the trips is \
            spread over them, as no two instruments agree; UNRECORDED was driven on no trip, \
            most likely in the longest time without one (FROM, TO). An odometer that went \
            backwards is marked, and never refused. A reading that was mistyped stays \
            in the log; --corrects puts another one in its place.

            Examples:
              ledger odometer van 123456.7
              ledger odometer van 62137 --unit mi --at 2026-03-14T08:00:00+01:00
              ledger odometer van 123465.7 --corrects '2026-03-14 08:30'
              ledger odometer van --list
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The vehicle.", completion: .vehicle)
    var vehicle: String

    @Argument(help: "What the odometer shows.")
    var value: ExactDecimal?

    @Option(help: "The unit of the odometer (default: as before, else the ledger's).")
    var unit: DistanceUnit?

    @Option(help: "How it was read.")
    var method: OdometerMethod = .typed

    @Option(help: ArgumentHelp("When it was read (default: now).", valueName: "time"))
    var at: TypedTime?

    @Option(
        help: ArgumentHelp(
            "When the reading was made that this one replaces.",
            valueName: "time"
        )
    )
    var corrects: TypedTime?

    @Flag(help: "List what the odometer showed, and compare it with the trips.")
    var list = false

    func validate() throws {
        guard list == (value == nil) else {
            throw ValidationError("Say what the odometer shows, or --list.")
        }
        guard at == nil || corrects == nil else {
            throw ValidationError("--corrects says when it was read: leave --at out.")
        }
        if !list { try options.refuseCSV() }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        guard let value else { return try list(in: ledger) }
        let reading = LedgerDecision.readOdometer(
            vehicle: vehicle,
            value,
            unit: unit,
            method,
            corrects: try corrects?.time(in: ledger)
        )
        try decision.decide(reading, at: try at?.time(in: ledger), in: ledger, options)
    }

    private func list(in ledger: Ledger) throws {
        try options.list(
            from: ledger,
            in: table,
            ifEmpty: "The odometer of \(Excerpt.escaped(vehicle)) was never read; "
                + "`ledger odometer VEHICLE VALUE` records what it shows."
        ) { snapshot in
            let vehicles = try snapshot.vehicles()
            let selection = decision.group.map { GroupSelection($0.name) }
            try snapshot.requireOneVehicle(named: vehicle, of: selection, countingOwner: false)
            // Without a group, the vehicle belongs to the only group that has one of this name, or
            // to the owner.
            let group = selection?.group ?? vehicles.groups(having: vehicle).first
            let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
            return OdometerComparison.list(
                vehicles.readings(of: vehicle, for: group),
                of: vehicle,
                with: try snapshot.trips(TripFilter(group: group.map { GroupSelection($0) }))
                    .map(\.booked).filter { !overlaps.leaveOut($0.id) }
            )
        }
    }
}
