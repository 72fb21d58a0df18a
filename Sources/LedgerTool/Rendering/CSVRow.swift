/// One record of a CSV file (RFC 4180), safe to open in a spreadsheet.
struct CSVRow {
    /// The record without its line's end.
    private(set) var text = ""

    private var isEmpty = true

    /// Creates an empty record.
    init() {}

    /// Creates the record of titles.
    init(titles: [String]) {
        for title in titles { add(text: title) }
    }

    /// Adds a text, which may come from outside: one that a spreadsheet would take for a formula
    /// gets an apostrophe (OWASP, "CSV Injection").
    mutating func add(text: String?) {
        let text = text ?? ""
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) }
        append(isFormula == true ? "'" + text : text)
    }

    /// Adds a number that this program wrote.
    mutating func add(number: String?) {
        append(number ?? "")
    }

    private mutating func append(_ cell: String) {
        if !isEmpty { text += "," }
        isEmpty = false
        let needsQuotes = cell.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard needsQuotes else {
            text += cell
            return
        }
        text += "\""
        for scalar in cell.unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "\"" { text.unicodeScalars.append(scalar) }
        }
        text += "\""
    }
}
