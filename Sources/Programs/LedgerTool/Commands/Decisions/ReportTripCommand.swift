import ArgumentParser
import Geodesy
import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The command `ledger report-trip`.
struct ReportTripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report-trip",
        abstract: "Enters a trip that no device recorded.",
        discussion: """
            The trip counts like any other, and is marked as not measured wherever it is shown. \
            With --odometer-start and --odometer-end in place of a distance, what the odometer of \
            the vehicle showed is kept with it.

            Examples:
              ledger report-trip --vehicle van --from 08:30 --to 09:05 \\
                --odometer-start 123456.7 --odometer-end 123478.2
              ledger report-trip --km 21.5 --origin Home --destination Office \\
                --from 2026-03-13T09:00:00+01:00 --to 2026-03-13T09:30:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Option(help: ArgumentHelp("When it started: \(TypedTime.forms).", valueName: "time"))
    var from: TypedTime

    @Option(help: ArgumentHelp("When it ended.", valueName: "time"))
    var to: TypedTime

    @OptionGroup var distance: DistanceOptions

    @Option(
        help: ArgumentHelp("What the odometer showed at the start.", valueName: "number")
    )
    var odometerStart: ExactDecimal?

    @Option(help: ArgumentHelp("What it showed at the end.", valueName: "number"))
    var odometerEnd: ExactDecimal?

    @Option(help: "Where it started, in words.")
    var origin: String?

    @Option(help: "Where it ended, in words.")
    var destination: String?

    @Option(help: "The program or file that it comes from.")
    var importedFrom: String?

    @OptionGroup var details: DetailOptions

    func validate() throws {
        guard !from.isDay, !to.isDay else {
            throw ValidationError(
                "Say at what time of the day the trip started and ended, such as '2026-03-14 "
                    + "08:30'."
            )
        }
        guard (odometerStart == nil) == (odometerEnd == nil) else {
            throw ValidationError("--odometer-start and --odometer-end belong together.")
        }
        // The unit does not matter here.
        if let odometer,
            Distance(nearestTo: odometer.end, .kilometers)
                < Distance(nearestTo: odometer.start, .kilometers)
        {
            throw ValidationError(
                "The odometer showed less at the end than at the start; look at --odometer-start "
                    + "and --odometer-end."
            )
        }
        guard odometer != nil || distance.isGiven else {
            throw ValidationError(
                "Say how far it went: --km, --miles or --meters, or --odometer-start and "
                    + "--odometer-end."
            )
        }
        guard odometer == nil || !distance.isGiven else {
            throw ValidationError("The odometer says how far it went: leave the distance out.")
        }
    }

    private var odometer: OdometerEnds? {
        guard let odometerStart, let odometerEnd else { return nil }
        return OdometerEnds(start: odometerStart, end: odometerEnd)
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (from, to) = (try from.time(in: ledger), try to.time(in: ledger))
        guard from.timestamp <= to.timestamp else {
            throw ValidationError("The trip ends before it starts; look at --from and --to.")
        }
        guard to.timestamp <= WallClock.now else {
            throw ValidationError("The trip ends in the future; look at --to.")
        }
        let report = TripReported(
            startedAt: from,
            endedAt: to,
            origin: origin,
            destination: destination,
            distanceMeters: try odometer == nil ? distance.distanceMeters : ExactDecimal(0),
            importedFrom: importedFrom,
            details: try ledger.readNow { try details.details(in: $0) }
        )
        try decision.decide(.reportTrip(report, odometer: odometer), in: ledger, options) {
            DecisionOptions.effect($0) + times(from, to)
        }
    }

    /// Returns the times of the trip in a sentence, if a time was typed without its offset from
    /// UTC.
    private func times(_ start: EventTime, _ end: EventTime) -> String {
        guard from.isLocal || to.isLocal else { return "" }
        return "The trip was from \(LocalTime.text(start)) to \(LocalTime.text(end)).\n"
    }
}
