import ArgumentParser
import TripLedger

/// The command `ledger report reconcile`.
struct ReportReconcileCommand: ReportMaking {
    static let kind = ReportKind.reconcile

    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compares odometers with trips, and lists contradictions.",
        discussion: """
            From each reading of an odometer to the next one: what it went, what the trips that \
            started in between went, and the REST that no trip explains. Then the ways that \
            nothing recorded, trips of one vehicle at the same time, trips between which it would \
            have gone faster than 250 km/h, and fuel, charging and parking that were paid more \
            than 2 km from every place where the vehicle was around that time. CSV has the \
            intervals.

            With --private-as km-only days stand in the place of the times of private trips and \
            of readings on them, and nothing says where the vehicle was on one.

            Examples:
              ledger report reconcile --year 2025
              ledger report reconcile --vehicle van --format csv
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.privateAs)
    var privateAs: PrivateTrips?

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.privateAs = privateAs
    }
}
