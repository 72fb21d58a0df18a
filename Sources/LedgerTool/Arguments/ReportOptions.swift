import ArgumentParser
import Reports
import RowFormats
import TripEvents
import TripLedger

/// The options of reports about the trips of some days.
struct ReportOptions: ParsableArguments {
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var days: PeriodOptions
    @OptionGroup var moment: AsOfOption

    @Option(help: "Only trips with this vehicle.", completion: .vehicle)
    var vehicle: String?

    @Option(
        help: "The unit of distances for people and CSV: km or mi (default: the ledger's)."
    )
    var units: DistanceUnit?

    @Flag(help: "Take the figures from the views: quick, and not for handing over.")
    var draft = false

    @OptionGroup var issuing: IssueOptions

    @Flag(help: "Show every column in full, also where the screen is too narrow.")
    var wide = false

    @Flag(help: "Do not page through a report that is longer than the screen; see PAGER.")
    var noPager = false

    func validate() throws {
        try issuing.validate(isDraft: draft, days: days)
    }
}

/// A command with the options of reports about the trips of some days.
protocol PeriodReporting: ReportMaking {
    var report: ReportOptions { get }

    /// The jurisdiction whose paper it is printed on, if none was named, and whose tax years are
    /// meant.
    var paperOf: String? { get }
}

extension PeriodReporting {
    var paperOf: String? { nil }
    var documents: DocumentOptions { report.documents }
    var moment: AsOfOption { report.moment }
    var vehicle: String? { report.vehicle }
    var draft: Bool { report.draft }
    var issuing: IssueOptions { report.issuing }
    var output: Output { report.noPager ? .standard : .paged }

    /// Returns what a report is made of, and how people see it.
    func frame(
        of snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances
    ) throws -> (frame: ReportFrame, style: TextStyle) {
        let period = try report.days.period(
            in: circumstances.ledger,
            taxYearsOf: paperOf.flatMap(LogJurisdiction.init)
        )
        let style = circumstances.style(
            unit: report.units,
            clock: period.localDay,
            isWide: report.wide,
            for: documents
        )
        let frame = try ReportFrame(snapshot, in: period, vehicle: vehicle, isDraft: draft)
        return (frame, style)
    }
}

/// A command that makes a report from the trips of some days alone.
protocol PeriodReportMaking: PeriodReporting {
    /// What it makes.
    associatedtype Report: PrintedReport

    /// Makes the report.
    ///
    /// - Parameters:
    ///   - snapshot: The ledger.
    ///   - frame: What it is made of.
    ///   - style: How people see it.
    /// - Returns: The report.
    /// - Throws: `.damaged`, `.inputOutput`.
    func report(
        _ snapshot: borrowing Snapshot,
        _ frame: ReportFrame,
        _ style: TextStyle
    ) throws -> Report
}

extension PeriodReportMaking {
    func make(
        _ snapshot: borrowing Snapshot,
        _ circumstances: ReportCircumstances,
        _ write: ((inout [UInt8]) -> Void) throws -> Void
    ) throws -> ReportRemarks {
        let (frame, style) = try frame(of: snapshot, circumstances)
        let report = try report(snapshot, frame, style)
        try documents.write(report, style, of: circumstances.ledger, for: paperOf, write)
        return ReportRemarks(days: frame.period.days)
    }
}
