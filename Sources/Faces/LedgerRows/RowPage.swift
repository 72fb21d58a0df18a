package import Tables
package import TripEvents

/// Some rows of a list that is read page by page: `page.v1.schema.json`.
package enum RowPage {
    /// Appends a page.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - columns: The columns of a row.
    ///   - next: The position at which the list goes on; `nil` if there is nothing more.
    ///   - clock: Tells times.
    ///   - bytes: Receives the page.
    package static func append<Row>(
        _ rows: [Row],
        _ columns: Columns<Row>,
        next: String?,
        by clock: LocalDay?,
        to bytes: inout [UInt8]
    ) {
        append(itemCount: rows.count, next: next, hasMore: next != nil, to: &bytes) {
            columns.appendJSON(rows[$0], to: &$1, by: clock)
        }
    }

    /// Appends a page of items that are written by a closure.
    package static func append(
        itemCount: Int,
        next: String?,
        hasMore: Bool,
        to bytes: inout [UInt8],
        item: (Int, inout [UInt8]) -> Void
    ) {
        bytes += #"{"items":["#.utf8
        for index in 0..<itemCount {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            item(index, &bytes)
        }
        bytes += #"],"next_cursor":"#.utf8
        if let next {
            JSONWriter.append(next, to: &bytes)
        } else {
            bytes += "null".utf8
        }
        bytes += #","has_more":\#(hasMore)}"#.utf8
    }
}
