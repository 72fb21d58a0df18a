import ArgumentParser
import TripLedger

/// The command `ledger report changes`.
struct ReportChangesCommand: ReportMaking {
    static let kind = ReportKind.changes

    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Lists every later change of the trips of some days: the auditor's page.",
        discussion: """
            What a field was and became, who said so, when, and how many days after the trip, of \
            all trips that start in the days, of the expenses of these days, and of what trips go \
            by, also what was said later if it may alter figures of the days. What was entered for \
            the first time is only counted, unless --all lists it. NO EFFECT says why a decision \
            that came from elsewhere changes nothing, as `ledger changes --orphans` does.

            AFTER REPORT names the issued reports about the same trip, or about what it goes by, \
            that were made before the change was stored: `ledger report reissue R1 --compare` has \
            the lines that are others now. `ledger changes --since` lists all that was appended \
            after a head.

            With --private-as km-only days stand in the place of times, and what private trips, \
            their expenses and routines were about is left out; the fields that changed stay. Of \
            places those are named where a trip began or ended that is not private.

            Examples:
              ledger report changes --year 2025
              ledger report changes --year 2025 --vehicle van --all --format csv
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.privateAs)
    var privateAs: PrivateTrips?

    @Flag(.all)
    var all = false

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.privateAs = privateAs
        request.all = all ? true : nil
    }
}
