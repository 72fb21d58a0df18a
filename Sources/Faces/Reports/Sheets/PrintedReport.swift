package import Tables
import TripEvents

/// A report: a page for people, as text or as a document, one object of JSON, and lines of CSV.
package protocol PrintedReport: Tabular {
    /// A line of CSV.
    associatedtype Line

    /// The columns of CSV.
    static var lineColumns: Columns<Line> { get }

    /// The lines of CSV.
    var lines: [Line] { get }

    /// The days and entries from which it was made.
    var frame: ReportFrame { get }

    /// Returns the page that people read.
    func page(_ style: TextStyle) -> ReportPage
}

extension PrintedReport {
    /// Returns the report in a format.
    package func bytes(as format: RowFormat, style: TextStyle) -> [UInt8] {
        switch format {
        case .text:
            var bytes: [UInt8] = []
            page(style).writeText { $0(&bytes) }
            return bytes
        case .json:
            var bytes: [UInt8] = []
            Self.columns.noting(frame.missing)
                .appendJSON(self, to: &bytes, by: frame.period.localDay)
            bytes.append(UInt8(ascii: "\n"))
            return bytes
        case .ids: preconditionFailure("a report has no ids")
        case .csv:
            let columns = Self.lineColumns.noting(frame.missing)
            var bytes: [UInt8] = []
            let form = CSVForm(style, unit: style.unit)
            columns.appendCSVTitles(to: &bytes, form)
            for line in lines { columns.appendCSV(line, to: &bytes, form) }
            return bytes
        }
    }
}
