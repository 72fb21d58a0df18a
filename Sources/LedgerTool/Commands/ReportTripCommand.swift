import ArgumentParser
import Platform
import TripEvents
import TripLedger

/// The command `ledger report-trip`.
struct ReportTripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report-trip",
        abstract: "Enters a trip that no device recorded.",
        discussion: """
            The trip counts like any other, and is marked as not measured wherever it is shown.

            Example:
              ledger report-trip --km 21.5 --origin Home --destination Office \\
                --from 2026-03-13T09:00:00+01:00 --to 2026-03-13T09:30:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Option(help: ArgumentHelp("When it started: \(TypedTime.forms).", valueName: "time"))
    var from: TypedTime

    @Option(help: ArgumentHelp("When it ended.", valueName: "time"))
    var to: TypedTime

    @OptionGroup var distance: DistanceOptions

    @Option(help: "Where it started, in words.")
    var origin: String?

    @Option(help: "Where it ended, in words.")
    var destination: String?

    @Option(help: "The program or file that it comes from.")
    var importedFrom: String?

    @OptionGroup var details: DetailOptions

    func validate() throws {
        try options.refuseCSV()
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
            distanceMeters: try distance.distanceMeters,
            importedFrom: importedFrom,
            details: try ledger.readNow { try details.details(in: $0) }
        )
        try decision.decide(.reportTrip(report), in: ledger, options)
    }
}
