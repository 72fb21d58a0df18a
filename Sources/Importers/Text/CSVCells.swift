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
        ranges.map { range in
            String(decoding: text.bytes(in: range), as: UTF8.self).lowercased()
                .filter { $0.isLetter || $0.isNumber }
        }
    }

    /// Returns the text in the cell of a column; `nil` if nothing is in it.
    ///
    /// An apostrophe that keeps a spreadsheet from computing the cell is no part of it.
    func text(_ column: Int?, _ text: Span<UInt8>) -> String? {
        guard let range = range(of: column) else { return nil }
        let written = String(decoding: text.bytes(in: range), as: UTF8.self)
            .replacing("\"\"", with: "\"")
        let isGuarded =
            written.hasPrefix("'") && written.dropFirst().first.map { "=+-@".contains($0) } ?? false
        return isGuarded ? String(written.dropFirst()) : written
    }

    /// Leaves out the cells from an index on.
    mutating func cut(to count: Int) {
        ranges.removeLast(max(0, ranges.count - count))
    }

    /// Returns the truth in the cell of a column; `nil` if there is none.
    func boolean(_ column: Int?, _ text: Span<UInt8>) -> Bool? {
        guard let range = range(of: column) else { return nil }
        return Bool(String(decoding: text.bytes(in: range), as: UTF8.self).lowercased())
    }

    /// Returns where the cell of a column stands; `nil` if there is none or nothing is in it.
    func range(of column: Int?) -> Range<Int>? {
        guard let column, column < ranges.count, !ranges[column].isEmpty else { return nil }
        return ranges[column]
    }
}
