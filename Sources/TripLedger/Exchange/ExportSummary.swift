/// What an export holds.
public struct ExportSummary: Hashable, Sendable {
    /// The position of its first entry.
    public var from: UInt64

    /// The log's size and root at its end.
    public var head: LedgerHead

    /// Entries of which it tells nothing but the hash, because they were to be withheld.
    public var withheld: UInt64

    /// Entries whose content was erased before.
    public var erased: UInt64
}
