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
