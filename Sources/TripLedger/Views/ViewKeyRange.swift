/// Keys of a table, from one up to another.
struct ViewKeyRange: Sendable {
    /// All keys.
    static let all = ViewKeyRange()

    /// The first key; `nil` for the first of the table.
    var from: [UInt8]?

    /// The first key that is too large; `nil` for the end of the table.
    var upTo: [UInt8]?

    init(from: [UInt8]? = nil, upTo: [UInt8]? = nil) {
        self.from = from
        self.upTo = upTo
    }

    /// Returns the later of two starts.
    static func later(_ start: [UInt8]?, _ other: [UInt8]) -> [UInt8] {
        start.map { $0.lexicographicallyPrecedes(other) ? other : $0 } ?? other
    }

    /// Returns the earlier of two ends.
    static func earlier(_ end: [UInt8]?, _ other: [UInt8]) -> [UInt8] {
        end.map { $0.lexicographicallyPrecedes(other) ? $0 : other } ?? other
    }

    /// Returns whether a key is not before the start.
    func begins(before key: Span<UInt8>) -> Bool {
        from.map { !Self.precedes(key, $0) } ?? true
    }

    /// Returns whether a key is before the end.
    func ends(after key: Span<UInt8>) -> Bool {
        upTo.map { Self.precedes(key, $0) } ?? true
    }

    private static func precedes(_ key: Span<UInt8>, _ other: [UInt8]) -> Bool {
        for index in 0..<min(key.count, other.count) where key[index] != other[index] {
            return key[index] < other[index]
        }
        return key.count < other.count
    }
}
