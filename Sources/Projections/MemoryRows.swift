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
