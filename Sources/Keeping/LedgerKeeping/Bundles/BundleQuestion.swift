import Projections
package import TripEvents
package import TripLedger

/// The purpose of a bundle: with the version it determines the reports in the bundle and the
/// request for each.
///
/// A manifest says nothing else about the reports. So no manifest can describe a bundle that leaves
/// a report out, or that asks for less of it.
package struct BundleQuestion: Hashable, Sendable {
    /// The version of the form, which fixes the set of reports and their requests for ever: any
    /// change to ``reports(on:in:)`` needs another version.
    static let version: UInt64 = 1

    /// The years of the calendar.
    static let years = 1...9_999

    /// The year, or the year in which the tax year begins.
    package var year: Int

    /// The jurisdiction whose forms, checklist and rates are meant; `nil` for a bundle without a
    /// claim.
    package var jurisdiction: String?

    /// The only group of sources, or the owner's; `nil` for all.
    package var group: GroupSelection?

    /// The only vehicle; `nil` for all.
    package var vehicle: String?

    /// The instant to which time has passed.
    package var asOf: Timestamp

    /// The language of the reports.
    package var language: Language

    /// Their paper.
    package var paper: PaperSize

    /// Creates a question.
    package init(
        year: Int,
        jurisdiction: String?,
        group: GroupSelection?,
        vehicle: String?,
        asOf: Timestamp,
        language: Language,
        paper: PaperSize
    ) {
        self.year = year
        self.jurisdiction = jurisdiction
        self.group = group
        self.vehicle = vehicle
        self.asOf = asOf
        self.language = language
        self.paper = paper
    }

    /// The formats of each report, with the ends of their files: those whose bytes are the same on
    /// every machine.
    private static let formats: [(format: ReportFormat, end: String)] = [
        (.text, "txt"), (.csv, "csv"), (.json, "json"), (.html, "html"),
    ]

    /// The number of days after which an entry is late.
    private static let lateAfter = 7

    /// The ends of the names of each report's files.
    package static var ends: [String] { formats.map(\.end) }

    /// The kinds of reports, in their order.
    package var kinds: [ReportKind] {
        [.log, .summary, .reconcile, .completeness, .changes]
            + (jurisdiction == nil ? [] : [.claim])
    }

    /// The files of all reports, in their order.
    package var reportFiles: [String] {
        kinds.flatMap { kind in
            Self.formats.map { "\(BundleFiles.reports)/\(kind.rawValue).\($0.end)" }
        }
    }

    /// Returns the request for each report, in the order of ``reportFiles``.
    ///
    /// A request states every parameter whose default a later version of the program could change.
    ///
    /// - Parameters:
    ///   - days: The days of the year.
    ///   - units: The unit of distances in all reports but the claim.
    /// - Returns: The requests.
    package func reports(
        on days: ClosedRange<CivilDate>,
        in units: DistanceUnit
    ) -> [ReportRequest] {
        kinds.flatMap { kind in
            var request = request(for: kind, on: days)
            if kind != .claim, kind.parameters.contains(.units) { request.units = units }
            return Self.formats.map { format, _ in
                var asked = request
                asked.format = format
                return asked
            }
        }
    }

    /// Returns the request for each printed report, in the order of ``kinds``.
    ///
    /// - Parameters:
    ///   - days: The days of the year.
    ///   - units: The unit of distances in all reports but the claim.
    /// - Returns: The requests.
    package func prints(
        on days: ClosedRange<CivilDate>,
        in units: DistanceUnit
    ) -> [ReportRequest] {
        reports(on: days, in: units).filter { $0.format == .html }
            .map { request in
                var printed = request
                printed.format = .pdf
                return printed
            }
    }

    private func request(for kind: ReportKind, on days: ClosedRange<CivilDate>) -> ReportRequest {
        var request = ReportRequest(kind)
        request.from = AskedDays(days.lowerBound)
        request.to = AskedDays(days.upperBound)
        request.group = group
        request.vehicle = vehicle
        request.ownOffsets = true
        request.draft = false
        request.language = language
        request.paper = paper
        // Rates of one's own come with no forms and no checklist.
        let forms = jurisdiction.flatMap { LogJurisdiction(rawValue: $0) }?.rawValue
        switch kind {
        case .log:
            request.sums = false
            request.privateAs = .all
        case .summary: request.jurisdiction = forms
        case .reconcile: request.privateAs = .all
        case .completeness:
            request.jurisdiction = forms
            request.lateAfter = Self.lateAfter
        case .changes:
            request.privateAs = .all
            request.all = true
        case .claim: request.jurisdiction = jurisdiction
        case .methods: preconditionFailure("no bundle compares methods")
        }
        return request
    }

    /// What the reports were made for, as a sentence without a full stop.
    var sentence: String {
        let country = jurisdiction.map { " for \($0)" } ?? ", without a claim"
        let vehicles =
            (vehicle.map { "the vehicle \($0) alone" } ?? "all vehicles")
            + (group.map { $0.group.map { " of the group \($0)" } ?? " of no group" } ?? "")
        return "a bundle of version \(Self.version) of the year \(year)\(country), of \(vehicles), "
            + "as of \(RFC3339.text(asOf)), in the language \(language.rawValue), on the paper "
            + "\(paper.rawValue): its reports were made again for that"
    }
}
