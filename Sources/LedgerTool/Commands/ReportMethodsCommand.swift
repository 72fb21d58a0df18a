import ArgumentParser
import Rates
import Reports
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger report methods`.
struct ReportMethodsCommand: PeriodReporting {
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

    @Option(help: "Whose methods and tax years: us, gb, ca, nl, de, au or fr.")
    var jurisdiction: LogJurisdiction

    @Option(help: ArgumentHelp("The year with which ca compares.", valueName: "year"))
    var baseYear: Int?

    func validate() throws {
        if let baseYear { try PeriodOptions.requireFourDigits(baseYear) }
        guard baseYear == nil || jurisdiction == .ca else {
            throw ValidationError("--base-year is for --jurisdiction ca.")
        }
        _ = try taxYear()
    }

    var paperOf: String? { jurisdiction.rawValue }

    func make(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let days = try taxYear()
        let (frame, style) = try frame(of: snapshot, circumstances)
        let rates = try circumstances.rates(snapshot)
        let methods = try MethodsReport(
            snapshot,
            frame,
            for: jurisdiction,
            on: days,
            baseYear: baseYear.map { YearStart.january.year(beginningIn: $0) },
            rates: rates
        )
        try documents.write(methods, style, of: circumstances.ledger, for: paperOf, write)
        return ReportRemarks(days: days, table: rates.programTable(of: jurisdiction.rawValue))
    }

    /// Returns the days that are meant, which lie in one tax year.
    ///
    /// - Throws: `ValidationError` if they do not.
    private func taxYear() throws -> ClosedRange<CivilDate> {
        guard case (let first?, let last?) = report.days.days(taxYearsOf: jurisdiction),
            jurisdiction.taxYear(of: first) == jurisdiction.taxYear(of: last)
        else {
            throw ValidationError(
                "Name the days of one tax year: --year 2025, or --from and --to."
            )
        }
        return first...last
    }
}
