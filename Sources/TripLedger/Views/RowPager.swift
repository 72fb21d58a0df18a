import EventStore
import LMDB

/// Walks over the stored rows of a table a few at a time, so that two tables can be walked side by
/// side.
struct RowPager {
    /// A row as it is stored.
    struct Row {
        var key: [UInt8]
        var stored: [UInt8]
    }

    private static let rowsPerPage = 256

    private let store: ViewStore
    private let table: ViewTable
    private var page: ArraySlice<Row> = []
    private var lastKey: [UInt8]?
    private var isAtEnd = false

    init(_ store: ViewStore, _ table: ViewTable) {
        self.store = store
        self.table = table
    }

    /// Returns the next row, or `nil` after the last.
    ///
    /// - Throws: `StaleViews` if keys do not ascend, which damaged pages can make go on for ever;
    ///   `LMDBError`.
    mutating func next() throws -> Row? {
        if page.isEmpty, !isAtEnd { try readPage() }
        return page.popFirst()
    }

    private mutating func readPage() throws {
        var rows: [Row] = []
        // The first key after the last one.
        let start = lastKey.map { $0 + [0] }
        var last = lastKey
        try store.scanStored(table, in: ViewKeyRange(from: start)) { key, stored in
            let row = Row(key: [UInt8](copying: key), stored: [UInt8](copying: stored))
            if let last, !last.lexicographicallyPrecedes(row.key) {
                throw StaleViews.damaged("the rows of \(table.rawValue) are out of order")
            }
            last = row.key
            rows.append(row)
            return rows.count < Self.rowsPerPage
        }
        isAtEnd = rows.count < Self.rowsPerPage
        lastKey = last
        page = rows[...]
    }
}
