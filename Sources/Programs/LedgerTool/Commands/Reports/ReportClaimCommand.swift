import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger report claim`.
struct ReportClaimCommand: ReportMaking {
    static let kind = ReportKind.claim

    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Prints the money for trips at the rates of a jurisdiction.",
        discussion: """
            A line is the distance of one slice at one rate, for one class and one vehicle. A \
            rate that changes on a day makes two lines; a threshold that is passed makes two; a \
            trip may lie in both. Thresholds count the whole tax year, also where a claim begins \
            later: so the claims of the parts of a year add up to that of the year. What is not \
            claimed stands below, with the reason. Expenses that a rate names come on top, such as \
            tolls in us.

            A claim and its limits are one person's: say --driver where several drive. What was \
            paid for no trip is then of the driver of its vehicle. --jurisdiction is us, gb, ca, \
            nl, de, at, au or fr, or a name of your own rates. Vehicles count as what they are \
            registered as: `ledger vehicle register van --kind van`. The field passengers of a \
            trip counts for rates per passenger.

            Examples:
              ledger report claim --jurisdiction us --year 2025
              ledger report claim --jurisdiction gb --year 2026 --as-known-on 2026-05-01
              ledger report claim --jurisdiction company --from 2026-01 --to 2026-03
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.driver)
    var driver: String?

    @Option(.jurisdiction)
    var jurisdiction: String?

    @Option(.scheme)
    var scheme: String?

    @Option(.region)
    var region: String?

    @Option(.asKnownOn, otherName: .customLong("rates-as-known-on"))
    var asKnownOn: CivilDate?

    @Option(.columns)
    var columns: String?

    func say(in request: inout ReportRequest) {
        request.jurisdiction = jurisdiction
        request.scheme = scheme
        request.region = region
        days.say(in: &request)
        request.driver = driver
        request.asKnownOn = asKnownOn
        request[.columns] = columns.map { .text($0) }
    }
}
