/// Where the rows of one view are kept: found by key, listed by order key.
///
/// It MUST keep both in step: a row that is put again with another order key moves, and a row that
/// is removed is gone from both.
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
