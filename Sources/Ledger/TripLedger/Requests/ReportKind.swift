/// The kind of a report; the raw value is its name at every door.
public enum ReportKind: String, CaseIterable, Sendable {
    case log
    case summary
    case reconcile
    case completeness
    case changes
    case claim
    case methods

    /// What it shows, as a sentence without a full stop.
    package var meaning: String {
        switch self {
        case .log: "The mileage log: a line for each trip, and the sums per class"
        case .summary: "The kilometres of each vehicle and year, for the forms"
        case .reconcile: "Odometers compared with trips, and contradictions"
        case .completeness: "What the log has and lacks of what is asked for"
        case .changes: "Every later change of the trips of some days: the auditor's page"
        case .claim: "The money for trips at the rates of a jurisdiction"
        case .methods: "The methods of a jurisdiction side by side, as figures"
        }
    }

    /// The name of the schema of a line of its JSON.
    package var schema: String {
        switch self {
        case .log: "mileage-log"
        case .summary: "year-summary"
        case .reconcile: "reconciliation"
        case .completeness: "completeness"
        case .changes: "report-changes"
        case .claim: "claim"
        case .methods: "methods"
        }
    }

    private static let days: [ReportParameter] = [.year, .from, .to, .month, .day]

    private static let common: [ReportParameter] = [
        .group, .vehicle, .timeZone, .ownOffsets, .asOf, .units, .excel, .language, .paper, .draft,
    ]

    /// The parameters on which its bytes depend, in the order in which they are listed.
    package var parameters: [ReportParameter] {
        let own: [ReportParameter] =
            switch self {
            case .log: Self.days + [.driver, .tripClass, .sums, .privateAs, .columns]
            case .summary: Self.days + [.driver, .jurisdiction]
            case .reconcile: Self.days + [.privateAs]
            case .completeness: Self.days + [.jurisdiction, .lateAfter]
            case .changes: Self.days + [.privateAs, .all]
            case .claim:
                Self.days + [.driver, .jurisdiction, .scheme, .region, .asKnownOn, .columns]
            case .methods: Self.days + [.jurisdiction, .baseYear]
            }
        return [.format] + own + Self.common
    }

    /// The parameters that must be given.
    package var required: [ReportParameter] {
        switch self {
        case .claim, .methods: [.jurisdiction]
        case .log, .summary, .reconcile, .completeness, .changes: []
        }
    }
}

/// How a report is written.
public enum ReportFormat: String, CaseIterable, Sendable {
    /// For the terminal.
    case text

    /// For programs.
    case json

    /// For programs that read tables: RFC 4180.
    case csv

    /// For browsers and for printing from them: one file.
    case html

    /// For paper.
    case pdf

    /// The document from which the last two are made: `document.v1.schema.json`.
    case document

    /// The media type of a file of it; JSON is an object on each line.
    package var mediaType: String {
        switch self {
        case .text: "text/plain; charset=utf-8"
        case .json: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .pdf: "application/pdf"
        case .document: "application/json"
        }
    }

    /// The end of the name of a file of it.
    package var ending: String {
        switch self {
        case .text: "txt"
        case .json: "jsonl"
        case .csv, .html, .pdf: rawValue
        case .document: "json"
        }
    }
}
