/// One record of a CSV file (RFC 4180), safe to open in a spreadsheet.
struct CSVRow {
    private static let quote = UInt8(ascii: "\"")

    /// The record without its line's end.
    private(set) var bytes: [UInt8] = []

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
        beginCell()
        guard let text, let first = text.utf8.first else { return }
        let isFormula = "=+-@\t\r".utf8.contains(first)
        let needsQuotes = text.utf8.contains { ",\"\r\n".utf8.contains($0) }
        if needsQuotes { bytes.append(Self.quote) }
        if isFormula { bytes.append(UInt8(ascii: "'")) }
        guard needsQuotes else {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            bytes.append(byte)
            if byte == Self.quote { bytes.append(byte) }
        }
        bytes.append(Self.quote)
    }

    /// Adds a number that this program wrote.
    mutating func add(number: String?) {
        beginCell()
        bytes.append(contentsOf: (number ?? "").utf8)
    }

    /// Adds a number, date or time that `append` appends; it MUST need no quotes.
    mutating func add(plain append: (inout [UInt8]) -> Void) {
        beginCell()
        append(&bytes)
    }

    /// Empties the record, to use its memory again.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isEmpty = true
    }

    private mutating func beginCell() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
    }
}
