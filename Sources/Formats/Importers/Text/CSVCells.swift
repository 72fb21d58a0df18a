import TripEvents

/// The cells of a line, without their quotes; quotes within cells stay doubled.
struct CSVCells {
    /// What may separate cells.
    static let separators: [UInt8] = [
        UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"),
    ]

    /// Where they stand, without white space around them.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the cells of a line.
    init(_ text: Span<UInt8>, _ line: Range<Int>, separator: UInt8) {
        var start = line.lowerBound
        var isQuoted = false
        for position in line {
            if text[position] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if text[position] == separator, !isQuoted {
                append(text, start..<position)
                start = position + 1
            }
        }
        append(text, start..<line.upperBound)
    }

    private mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        var range = NumberText.trimmed(text, range)
        if range.count >= 2, text[range.lowerBound] == UInt8(ascii: "\""),
            text[range.upperBound - 1] == UInt8(ascii: "\"")
        {
            range = NumberText.trimmed(text, range.lowerBound + 1..<range.upperBound - 1)
        }
        ranges.append(range)
    }

    /// Makes sure that there are no more cells than columns.
    ///
    /// - Throws: `Rejection`.
    func check(columnCount: Int) throws(Rejection) {
        guard ranges.count <= columnCount else {
            throw Rejection(
                .invalidValue,
                sentence: "The line has \(ranges.count) cells; \(columnCount) columns are named."
            )
        }
    }

    /// Returns the cells as names of columns: in small letters, without spaces, hyphens and other
    /// marks.
    func names(_ text: Span<UInt8>) -> [String] {
        ranges.map { Self.letters(of: String(decoding: text.bytes(in: $0), as: UTF8.self)) }
    }

    /// Returns the letters and digits of a text, in small letters.
    static func letters(of text: String) -> String {
        // Fast paths: many names need no change, and nearly every other one is ASCII.
        if text.utf8.allSatisfy({ $0.isSmallLetterOrDigit }) { return text }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.lowercased().filter { $0.isLetter || $0.isNumber }
        }
        let small = text.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            case _ where byte.isSmallLetterOrDigit: byte
            default: nil
            }
        }
        return String(decoding: small, as: UTF8.self)
    }

    /// Returns the text in the cell of a column; `nil` if nothing is in it.
    ///
    /// An apostrophe that keeps a spreadsheet from computing the cell is not part of the text.
    func text(_ column: Int?, _ text: Span<UInt8>) -> String? {
        guard let range = range(of: column) else { return nil }
        var written = String(decoding: text.bytes(in: range), as: UTF8.self)
        // Fast path: few cells have quotes in them.
        if written.utf8.contains(UInt8(ascii: "\"")) {
            written = written.replacing("\"\"", with: "\"")
        }
        return Self.isGuarded(written) ? String(written.unicodeScalars.dropFirst()) : written
    }

    /// Whether a cell begins with an apostrophe and then like a formula: with a sign of any width,
    /// perhaps after blanks and marks of format.
    private static func isGuarded(_ cell: String) -> Bool {
        guard cell.utf8.first == UInt8(ascii: "'") else { return false }
        let begin = cell.unicodeScalars.dropFirst()
            .first { scalar in
                !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
            }
        return begin.map { formulaSigns.contains($0) } ?? false
    }

    private static let formulaSigns = Set("=+-@＝＋－＠﹦﹢﹣﹫".unicodeScalars)

    /// Leaves out the cells from an index on.
    mutating func cut(to count: Int) {
        ranges.removeLast(max(0, ranges.count - count))
    }

    /// Returns the truth in the cell of a column; `nil` if there is none.
    func boolean(_ column: Int?, _ text: Span<UInt8>) -> Bool? {
        guard let range = range(of: column) else { return nil }
        return Self.truth(of: String(decoding: text.bytes(in: range), as: UTF8.self))
    }

    /// Returns the truth that a word or digit stands for: `true`, `1`, `yes`, or `false`, `0`,
    /// `no`, in letters of any case; `nil` for others.
    static func truth(of word: String) -> Bool? {
        switch word.lowercased() {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    /// Returns where the cell of a column stands; `nil` if there is none or nothing is in it.
    func range(of column: Int?) -> Range<Int>? {
        guard let column, column < ranges.count, !ranges[column].isEmpty else { return nil }
        return ranges[column]
    }
}

/// The number of cells of a line for each possible separator: a cheap test of whether its cells are
/// worth comparing with names of columns.
struct CSVCellCounts {
    private var commas = 1
    private var semicolons = 1
    private var tabs = 1
    private var bars = 1

    /// Counts the cells of a line.
    init(_ text: Span<UInt8>, _ line: Range<Int>) {
        var isQuoted = false
        for position in line {
            switch text[position] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: commas += 1
            case UInt8(ascii: ";") where !isQuoted: semicolons += 1
            case UInt8(ascii: "\t") where !isQuoted: tabs += 1
            case UInt8(ascii: "|") where !isQuoted: bars += 1
            default: break
            }
        }
    }

    /// The number of cells for a separator, which MUST be one of ``ColumnHeader/separators``.
    subscript(separator: UInt8) -> Int {
        switch separator {
        case UInt8(ascii: ","): commas
        case UInt8(ascii: ";"): semicolons
        case UInt8(ascii: "\t"): tabs
        default: bars
        }
    }

    /// The number of cells for the separator that gives the most.
    var most: Int { max(commas, semicolons, tabs, bars) }
}

extension UInt8 {
    /// Whether it is a small letter or a digit of ASCII.
    var isSmallLetterOrDigit: Bool {
        self &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
    }
}
