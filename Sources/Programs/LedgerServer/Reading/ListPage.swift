import LedgerHTTP
import TripEvents

/// Some rows of a list that is made as a whole, such as that of places.
struct ListPage<Row> {
    /// The rows.
    let rows: [Row]

    /// The cursor at which the list goes on; `nil` if there are no more.
    let next: String?

    /// Returns the rows after those that a cursor has passed.
    ///
    /// The cursor holds the number of rows before it, and the name of the last of them. If rows
    /// were added or removed meanwhile, the list goes on after the row with that name; if that row
    /// itself is gone, at its former place.
    ///
    /// - Parameters:
    ///   - all: All rows.
    ///   - query: The cursor, and the most rows.
    ///   - name: The name of a row.
    /// - Throws: `Problem` if the cursor is invalid.
    init(of all: [Row], _ query: Query, _ name: (Row) -> String) throws(Problem) {
        var start = 0
        if let cursor = query.text(Parameter.cursor.name) {
            guard let parts = TextCursor.parts(of: cursor), parts.count == 2,
                let count = Int(parts[0]), count > 0
            else {
                throw .invalidParameter(Parameter.cursor.name, "next_cursor of such a page")
            }
            let last = all.firstIndex { name($0).hasSameBytes(as: parts[1]) }
            start = last.map { $0 + 1 } ?? min(count - 1, all.count)
        }
        let isLimited = query.number(Parameter.limit.name) != nil
        let end = min(all.count, start + (isLimited ? query.limit : Self.most))
        rows = Array(all[start..<end])
        next =
            end < all.count
            ? rows.last.map { TextCursor.text(of: ["\(end)", name($0)]) } : nil
    }

    /// The most rows of a page by default.
    private static var most: Int { 1_000 }
}

extension Parameter {
    /// The most items of a page of a list that is usually short.
    static let longLimit = Parameter(
        "limit",
        .number(1...1_000),
        "The most items; 1,000 if it is not said"
    )
}

/// A cursor that identifies the last item of a page: texts, encoded as digits that need no escapes
/// in a query.
enum TextCursor {
    private static let radix = 16

    /// Returns texts as one.
    static func text(of parts: [String]) -> String {
        parts.map { part in
            part.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: radix) }.joined()
        }
        .joined(separator: "-")
    }

    /// Returns the texts of a cursor, or `nil` if it is none.
    static func parts(of text: String) -> [String]? {
        var parts: [String] = []
        for part in text.split(separator: "-", omittingEmptySubsequences: false) {
            let digits = Array(part.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                guard let byte = UInt8(pair, radix: radix), pair.first != "+" else { return nil }
                bytes.append(byte)
            }
            guard let part = String(validating: bytes, as: UTF8.self) else { return nil }
            parts.append(part)
        }
        return parts
    }
}
