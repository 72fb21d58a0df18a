/// A report: a page for people, one object of JSON, and lines of CSV.
package protocol PrintedReport: Tabular {
    /// What a line of CSV says.
    associatedtype Line

    /// The columns of CSV.
    static var lineColumns: Columns<Line> { get }

    /// The lines of CSV.
    var lines: [Line] { get }

    /// What it was made of.
    var frame: ReportFrame { get }

    /// Writes what people read.
    func write(to page: inout ReportPage)
}

extension PrintedReport {
    /// Returns the report in a format.
    package func bytes(as format: RowFormat, style: TextStyle) -> [UInt8] {
        switch format {
        case .text:
            var page = ReportPage(style)
            write(to: &page)
            return page.bytes
        case .json:
            var bytes: [UInt8] = []
            Self.columns.noting(frame.missing).appendJSON(self, to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            return bytes
        case .csv:
            let columns = Self.lineColumns.noting(frame.missing)
            var bytes: [UInt8] = []
            columns.appendCSVTitles(to: &bytes, unit: style.unit)
            for line in lines { columns.appendCSV(line, to: &bytes, unit: style.unit) }
            return bytes
        }
    }
}

/// What people read of a report: facts, tables and sentences in their order.
package struct ReportPage {
    /// How people see it.
    package let style: TextStyle

    /// The text so far.
    package private(set) var bytes: [UInt8] = []

    /// Begins an empty page.
    package init(_ style: TextStyle) {
        self.style = style
    }

    /// Writes the title and what the report was made of.
    package mutating func begin(
        _ title: String,
        _ frame: ReportFrame,
        and more: [(label: String, fact: String)] = []
    ) {
        let facts = FactSheet(frame.facts(in: style.unit) + more).text(width: style.width)
        bytes.append(contentsOf: "\(title)\n\(facts)".utf8)
    }

    /// Writes a table with a title above it; nothing without rows.
    package mutating func table<Row>(
        _ title: String?,
        _ rows: [Row],
        _ columns: Columns<Row>
    ) {
        guard !rows.isEmpty else { return }
        var table = columns.table(style)
        for row in rows { columns.add(row, to: &table, style) }
        self.table(title, table)
    }

    /// Writes a table that was made already.
    package mutating func table(_ title: String?, _ table: TextTable) {
        bytes.append(UInt8(ascii: "\n"))
        if let title { bytes.append(contentsOf: "\(title):\n".utf8) }
        var lines: [UInt8] = []
        let leftOut = table.write(within: style.width) { $0(&lines) }
        bytes.append(contentsOf: lines)
        let remark = TextTable.remark(onLeftOut: leftOut)
        bytes.append(contentsOf: style.wrapped(remark).utf8)
    }

    /// Writes sentences, each with the end of its line, after an empty line.
    package mutating func sentences(_ sentences: [String]) {
        guard !sentences.isEmpty else { return }
        let text = sentences.map { $0 + "\n" }.joined()
        bytes.append(contentsOf: ("\n" + style.wrapped(text)).utf8)
    }
}
