import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger report completeness`.
struct ReportCompletenessCommand: ReportMaking {
    static let kind = ReportKind.completeness

    static let configuration = CommandConfiguration(
        commandName: "completeness",
        abstract: "Lists what the mileage log lacks, beside what a tax office asks for.",
        discussion: """
            Trips without a purpose, a class, a vehicle or an end; entries that came late; gaps, \
            and days without a trip. With --jurisdiction a checklist says of each thing that is \
            asked for whether it is met, missing, or cannot be told, with the trips concerned. CSV \
            has a line for each trip and what it lacks; JSON names the first thousand of each. Of \
            a trip it tells the id, the day and the class alone.

            Examples:
              ledger report completeness --year 2025 --jurisdiction de
              ledger report completeness --year 2025 --format csv
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.jurisdiction)
    var jurisdiction: LogJurisdiction?

    @Option(.lateAfter)
    var lateAfter: Int?

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.jurisdiction = jurisdiction?.rawValue
        request.lateAfter = lateAfter
    }
}
