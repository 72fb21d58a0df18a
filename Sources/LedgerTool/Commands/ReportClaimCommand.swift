import ArgumentParser
import Rates
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger report claim`.
struct ReportClaimCommand: ReportMaking {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Prints what trips come to by the rates of a jurisdiction.",
        discussion: """
            A line is the distance of one slice at one rate, for one class and one vehicle. A \
            rate that changes on a day makes two lines; a threshold that is passed makes two; a \
            trip may lie in both. Thresholds count the whole tax year, also where a claim begins \
            later: so the claims of the parts of a year add up to that of the year. What is not \
            claimed stands below, with the reason.

            Expenses of a trip that its rate names come on top, such as tolls and parking in \
            the United States; the others stand below, with the reason.

            Rates of which something is not verified say so below the lines. \
            --rates-as-known-on leaves out what was announced later.

            Vehicles count as what they are registered as: `ledger vehicle register van --kind \
            van`. The custom field passengers of a trip counts for rates per passenger.

            Examples:
              ledger report claim --jurisdiction us --year 2025
              ledger report claim --jurisdiction gb --year 2026 \\
                --rates-as-known-on 2026-05-01
              ledger report claim --jurisdiction company --from 2026-01 --to 2026-03
            """
    )

    @OptionGroup var book: LedgerOption
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var table: TableShape

    @Option(help: "us, gb, ca, nl, de, au, fr, or a name of `ledger rates set`.")
    var jurisdiction: String

    @Option(help: "Only the rates of this scheme (default: all that need not be named).")
    var scheme: String?

    @Option(help: "The part of the jurisdiction: provinces or territories in ca.")
    var region: String?

    @OptionGroup var days: ClaimDays

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @OptionGroup var moment: AsOfOption
    @OptionGroup var knowledge: KnowledgeOption

    @Option(help: "The unit of distances for people and CSV (default: that of the rates).")
    var units: DistanceUnit?

    @Flag(help: "Take the figures from the views: quick, and not for handing over.")
    var draft = false

    @OptionGroup var issuing: IssueOptions

    func validate() throws {
        try issuing.validate(isDraft: draft)
    }

    var output: Output { table.output }

    func make(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let localDay = try days.localDay(in: circumstances.ledger)
        let columns = try table.chosen(of: ClaimRow.columns, as: documents.rows)
        let rates = try circumstances.rates(snapshot)
        let first = try firstRow(of: rates, in: circumstances.ledger)
        var question = ClaimQuestion(
            jurisdiction: first.jurisdiction,
            days: days.days(ofYearsFrom: first.yearStart)
        )
        question.scheme = scheme
        question.region = region
        question.vehicle = vehicle
        question.knownOn = knowledge.day
        let sheet = ClaimSheet(
            question,
            localDay: localDay,
            columns: columns,
            style: circumstances.style(
                unit: units ?? first.unit,
                clock: localDay,
                isWide: table.wide,
                for: documents
            ),
            format: documents.rows,
            isDraft: draft
        )
        var remarks = ReportRemarks(
            days: question.days,
            table: rates.programTable(of: first.jurisdiction)
        )
        guard documents.isDocument else {
            remarks.unfinished = try sheet.write(snapshot, rates: rates, write)
            return remarks
        }
        let (page, unfinished) = try sheet.page(snapshot, rates: rates)
        remarks.unfinished = unfinished
        try documents.write(page, of: circumstances.ledger, for: first.jurisdiction, write)
        return remarks
    }

    /// Returns a row of what was asked for, which says where years begin and what the unit is.
    ///
    /// - Throws: `LedgerError` if there is no such jurisdiction, scheme or region.
    private func firstRow(of rates: LoadedRates, in ledger: Ledger) throws -> RateRow {
        let rows = rates.tables.flatMap(\.rows)
        func find(
            _ kind: String,
            _ name: String?,
            _ names: (RateRow) -> String?,
            among rows: [RateRow]
        ) throws -> [RateRow] {
            guard let name else { return rows }
            let found = rows.filter { names($0) == name }
            guard found.isEmpty else { return found }
            let known = Set(rows.compactMap(names)).sorted()
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "there is no \(kind) \(Excerpt.escaped(name)) among the rates",
                hint: known.isEmpty
                    ? "Leave it out" : "Choose from " + known.joined(separator: ", ")
            )
        }
        let name = jurisdiction.lowercased()
        let own = try find("jurisdiction", name, { $0.jurisdiction }, among: rows)
        let ofScheme = try find("scheme", scheme, { $0.scheme }, among: own)
        let chosen = try find("region", region, { $0.region }, among: ofScheme)
        guard let first = chosen.first else {
            preconditionFailure("what was found is empty")
        }
        return first
    }
}
