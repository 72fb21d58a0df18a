import Projections

/// The rows of one view: found by key, listed by order key, committed together.
///
/// Rows stand in their order, so that a listing reads one stretch of the file.
struct ViewRows: RowStore, Sendable {
    typealias Failure = any Error

    /// Key → order key.
    private(set) var keys: ViewBuffer

    /// Order key → row.
    private(set) var rows: ViewBuffer

    init(_ keys: ViewTable, inOrder rows: ViewTable, over store: ViewStore?) {
        self.keys = ViewBuffer(keys, over: store)
        self.rows = ViewBuffer(rows, over: store)
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        guard let orderKey = try keys.value(key) else { return nil }
        guard let row = try rows.value(orderKey) else {
            throw StaleViews.damaged("\(rows.table.rawValue) lacks a row")
        }
        return row
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        let old = try keys.value(key)
        if old != orderKey {
            if let old { rows.delete(old) }
            keys.put(key, orderKey)
        }
        rows.put(orderKey, value)
    }

    mutating func remove(key: [UInt8]) throws {
        guard let orderKey = try keys.value(key) else { return }
        keys.delete(key)
        rows.delete(orderKey)
    }
}
