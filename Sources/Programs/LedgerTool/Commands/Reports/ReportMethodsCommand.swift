import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger report methods`.
struct ReportMethodsCommand: ReportMaking {
    static let kind = ReportKind.methods

    static let configuration = CommandConfiguration(
        commandName: "methods",
        abstract: "Sets the methods of a jurisdiction side by side, as figures.",
        discussion: """
            What the rates per distance give for each vehicle in a tax year, beside the share of \
            business of what was paid for it (`ledger expense`). Then its business use over the \
            year, and over parts of it that may stand for the whole: the first week of each month \
            and quarters in us, quarters in ca, twelve weeks from its first trip in au. With \
            --base-year quarters are compared with the same ones of that year.

            Examples:
              ledger report methods --jurisdiction us --year 2025
              ledger report methods --jurisdiction ca --year 2025 --base-year 2023
              ledger report methods --jurisdiction gb --year 2025 -o methods.pdf
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var report: ReportOptions
    @OptionGroup var output: ReportOutput
    @OptionGroup var days: ReportDays

    @Option(.jurisdiction)
    var jurisdiction: LogJurisdiction?

    @Option(.baseYear)
    var baseYear: Int?

    func say(in request: inout ReportRequest) {
        days.say(in: &request)
        request.jurisdiction = jurisdiction?.rawValue
        request.baseYear = baseYear
    }
}
