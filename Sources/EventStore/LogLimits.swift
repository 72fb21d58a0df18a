/// The ranges that Formats promises: what lies outside was not written by us.
enum LogLimits {
    /// Positions, sizes and counters stay below the point where arithmetic could overflow.
    static let positions: ClosedRange<UInt64> = 0...1 << 56

    /// Times that fit into 48 bits either way: milliseconds since 1970.
    static let times: ClosedRange<Int64> = -(1 << 47 - 1)...1 << 47 - 1

    /// The numbers that sources have; 0 is the ledger itself.
    static let sourceNumbers: ClosedRange<UInt32> = 1...0xFF_FFFF

    /// How many bytes of UTF-8 the identity digest lets a source's name have.
    static let sourceNameByteCounts = 1...255
}
