import Projections

/// The rows of one view: found by key, listed by order key, committed together.
struct ViewRows: RowStore, Sendable {
    typealias Failure = any Error

    private static let lengthByteCount = 2

    /// Key → length of the order key (u16, big-endian), order key, row.
    private(set) var rows: ViewBuffer

    /// Order key → key.
    private(set) var order: ViewBuffer

    init(_ table: ViewTable, inOrder order: ViewTable, over store: ViewStore?) {
        rows = ViewBuffer(table, over: store)
        self.order = ViewBuffer(order, over: store)
    }

    /// Returns a row from a value of the table, or `nil` if it is none.
    static func row(key: [UInt8], stored: [UInt8]) -> StoredRow? {
        guard stored.count >= lengthByteCount else { return nil }
        let start = lengthByteCount + Int(stored[0]) << 8 + Int(stored[1])
        guard start <= stored.count else { return nil }
        return StoredRow(
            key: key,
            orderKey: Array(stored[lengthByteCount..<start]),
            value: Array(stored[start...])
        )
    }

    func value(forKey key: [UInt8]) throws -> [UInt8]? {
        try storedRow(key)?.value
    }

    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws {
        if let old = try storedRow(key), old.orderKey != orderKey {
            order.delete(old.orderKey)
        }
        let length = orderKey.count
        rows.put(
            key,
            [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + orderKey + value
        )
        order.put(orderKey, key)
    }

    mutating func remove(key: [UInt8]) throws {
        guard let old = try storedRow(key) else { return }
        rows.delete(key)
        order.delete(old.orderKey)
    }

    private func storedRow(_ key: [UInt8]) throws -> StoredRow? {
        try rows.value(key).flatMap { Self.row(key: key, stored: $0) }
    }
}
