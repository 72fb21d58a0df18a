import ArgumentParser
import LedgerKeeping
import Reports
import TripEvents
import TripLedger

/// The reports of an auditor's bundle: made for it, and made again to check it, from the same
/// question.
struct BundledReports {
    private let year: Int
    private let jurisdiction: String?
    private let group: GroupSelection?
    private let vehicle: String?
    private let asOf: Timestamp

    /// The language and the paper; `nil` for those of the ledger's settings.
    private let language: Language?
    private let paper: PaperSize?

    /// Asks for the reports of a year, or of the tax year that begins in it.
    init(
        year: Int,
        jurisdiction: String?,
        group: GroupSelection?,
        vehicle: String?,
        asOf: Timestamp,
        language: Language?,
        paper: PaperSize?
    ) {
        self.year = year
        self.jurisdiction = jurisdiction?.lowercased()
        self.group = group
        self.vehicle = vehicle
        self.asOf = asOf
        self.language = language
        self.paper = paper
    }

    /// Asks for the reports of a bundle.
    init(_ question: BundleQuestion) {
        year = question.year
        jurisdiction = question.jurisdiction
        group = question.group
        vehicle = question.vehicle
        asOf = question.asOf
        language = question.language
        paper = question.paper
    }

    /// Makes all reports from the first entries of a ledger, and prints them, out of one snapshot.
    ///
    /// Without the printing program, the only print is the page that leads to the reports.
    ///
    /// - Throws: `.notFound` if there are no rates of the jurisdiction; `.damaged`, `.inputOutput`.
    func content(
        of ledger: Ledger,
        upTo size: UInt64,
        stampedBy stamps: [HeadStamps.Statement]
    ) throws -> BundleContent {
        let means = ReportMeans.kept(of: ledger)
        return try ledger.readFromLog(asOf: asOf, upTo: size) { snapshot in
            var content = try content(snapshot, means)
            let (question, days) = (content.question, content.days)
            let index = BundleIndex(
                question,
                on: days,
                hasPDF: PrintProcess.isThere,
                stamps: stamps
            )
            content.prints = [(BundleFiles.printedIndex, index.bytes)]
            guard PrintProcess.isThere else { return content }
            for request in question.prints(on: days, in: units(snapshot)) {
                let resolved = try ResolvedReport(request, asOf: asOf, of: snapshot, by: means)
                let bytes = try resolved.bytes(snapshot).bytes
                content.prints.append(("\(request.kind.rawValue).pdf", bytes))
            }
            return content
        }
    }

    /// Makes the reports of a bundle again, and compares its rates with those that are known.
    ///
    /// - Parameters:
    ///   - ledger: The ledger that the evidence of the bundle gives.
    ///   - rates: The rows of the table of rates in the bundle; `nil` if it has none.
    /// - Returns: The content that the bundle must have, and the result of comparing the rates.
    /// - Throws: `.newer` if this program cannot make the bundle's reports; `.damaged`,
    ///   `.inputOutput`.
    func made(again ledger: Ledger, by rates: RatesLoaded?) throws -> RemadeBundle {
        do {
            return try ledger.readFromLog(asOf: asOf) { snapshot in
                let comparison = try BundledRates(rates, of: self, snapshot, ledger)
                let means = comparison.means(by: comparison.table, snapshot)
                let content = try content(snapshot, means)
                return RemadeBundle(
                    content,
                    rates: try comparison.outcome(beside: content, snapshot)
                )
            }
        } catch let problem as ReportProblem {
            let sentence = problem.sentence(at: .request)
            throw LedgerError(
                .newer,
                at: "manifest.json",
                cause: "they cannot be made as the manifest asks for them: "
                    + (sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence),
                hint: "The manifest was changed, or a newer version of ledger wrote it"
            )
        }
    }

    /// Makes all reports.
    func content(
        _ snapshot: borrowing Snapshot,
        _ means: ReportMeans
    ) throws -> BundleContent {
        let question = question(snapshot)
        var days = try self.days
        if jurisdiction != nil {
            var claim = ReportRequest(.claim)
            claim.year = year
            claim.jurisdiction = jurisdiction
            let remarks = try ResolvedReport(claim, asOf: asOf, of: snapshot, by: means).remarks()
            days = remarks.days ?? days
        }
        var rates: RatesLoaded?
        var reports: [[UInt8]] = []
        for request in question.reports(on: days, in: units(snapshot)) {
            let resolved = try ResolvedReport(request, asOf: asOf, of: snapshot, by: means)
            rates = rates ?? resolved.remarks().table?.loading()
            reports.append(try resolved.bytes(snapshot).bytes)
        }
        return BundleContent(question: question, reports: reports, days: days, rates: rates)
    }

    /// Returns the claim of a bundle as it is completed; `nil` if it has none.
    func claim(
        _ snapshot: borrowing Snapshot,
        on days: ClosedRange<CivilDate>,
        by means: ReportMeans
    ) throws -> ResolvedReport? {
        let requests = question(snapshot).reports(on: days, in: units(snapshot))
        guard let request = requests.first(where: { $0.kind == .claim }) else { return nil }
        return try ResolvedReport(request, asOf: asOf, of: snapshot, by: means)
    }

    /// The unit of all reports but the claim, which uses the unit of its rates.
    func units(_ snapshot: borrowing Snapshot) -> DistanceUnit {
        snapshot.reportDefaults(at: asOf).units(of: jurisdiction)
    }

    /// What the reports are made for.
    private func question(_ snapshot: borrowing Snapshot) -> BundleQuestion {
        let defaults = snapshot.reportDefaults(at: asOf)
        return BundleQuestion(
            year: year,
            jurisdiction: jurisdiction,
            group: group,
            vehicle: vehicle,
            asOf: asOf,
            language: language ?? defaults.language,
            paper: paper ?? defaults.paper(of: jurisdiction)
        )
    }

    /// The day, in UTC, of the bundle's instant: rates that were announced later were not known.
    var lastDay: CivilDate {
        let seconds = asOf.milliseconds / 1_000
        let days = (seconds - (seconds < 0 ? Self.secondsOfDay - 1 : 0)) / Self.secondsOfDay
        return CivilDate(daysSince1970: Int(days))
    }

    private static let secondsOfDay: Int64 = 86_400

    /// The days of the calendar year.
    private var days: ClosedRange<CivilDate> {
        get throws {
            guard let first = CivilDate(year: year, month: 1, day: 1),
                let last = CivilDate(year: year, month: 12, day: 31)
            else { throw ValidationError("\(year) is no year of the calendar.") }
            return first...last
        }
    }
}
