import Projections

/// The rows of the book: found by key alone, for nobody lists them in another order.
struct BookRows: RowStore, Sendable {
    typealias Failure = any Error

    /// Key → row.
    private(set) var rows: ViewBuffer

    init(over store: ViewStore?) {
        rows = ViewBuffer(.book, over: store)
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try rows.value(key)
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        rows.put(key, value)
    }

    mutating func remove(key: [UInt8]) throws {
        rows.delete(key)
    }

    /// Returns the decisions on a shelf, in order of time.
    func decisions(on shelf: BookShelf) throws -> [Decision] {
        try rows.rows(from: [shelf.keyPrefix], prefix: [shelf.keyPrefix])
            .map { try BookShelf.decision(decoding: $0.value) }
    }
}
