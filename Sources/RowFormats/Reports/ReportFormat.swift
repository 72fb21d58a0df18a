/// How a report is written.
package enum ReportFormat: String, CaseIterable, Sendable {
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

    /// What the last two are made of: `document.v1.schema.json`.
    case document

    /// The format of the rows; `nil` for a document.
    package var rows: RowFormat? {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .html, .pdf, .document: nil
        }
    }
}
