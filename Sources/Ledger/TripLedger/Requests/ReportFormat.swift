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
