/// Where the rows of one view are kept: found by key, listed by order key.
///
/// It MUST keep both in step: a row that is stored again with another order key moves, and a
/// removed row is found by neither key.
public protocol RowStore: ~Copyable {
    /// What can go wrong; `Never` in memory.
    associatedtype Failure: Error

    /// Returns the value of the row with a key, or `nil` if there is none.
    borrowing func value(forKey key: [UInt8]) throws(Failure) -> [UInt8]?

    /// Stores a row, in place of the one with the same key, if there is one.
    mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) throws(Failure)

    /// Removes the row with a key, if there is one.
    mutating func remove(key: [UInt8]) throws(Failure)
}

extension RowStore where Self: ~Copyable {
    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ row: some ViewRow) throws(Failure) {
        try put(row.value, key: row.key, orderKey: row.orderKey)
    }
}

/// The bytes of a row, as a store keeps them.
public struct StoredRow: Hashable, Sendable {
    /// What the row is found by.
    public let key: [UInt8]

    /// Where the row stands in listings.
    public let orderKey: [UInt8]

    /// The row.
    public let value: [UInt8]

    /// Creates a row from its bytes.
    public init(key: [UInt8], orderKey: [UInt8], value: [UInt8]) {
        self.key = key
        self.orderKey = orderKey
        self.value = value
    }
}

/// The rows of a view in memory, for comparing a stored view with a fresh one.
public struct MemoryRows: RowStore, Hashable, Sendable {
    private var rows: [[UInt8]: StoredRow] = [:]

    /// Creates a store without rows.
    public init() {}

    /// Every row in ascending order of order keys.
    public var inOrder: [StoredRow] {
        rows.values.sorted { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
    }

    /// Returns the value of the row with a key, or `nil` if there is none.
    public func value(forKey key: [UInt8]) -> [UInt8]? {
        rows[key]?.value
    }

    /// Stores a row, in place of the one with the same key, if there is one.
    public mutating func put(_ value: [UInt8], key: [UInt8], orderKey: [UInt8]) {
        rows[key] = StoredRow(key: key, orderKey: orderKey, value: value)
    }

    /// Removes the row with a key, if there is one.
    public mutating func remove(key: [UInt8]) {
        rows[key] = nil
    }
}
