/// What an import did.
public struct ImportSummary: Hashable, Sendable {
    /// Entries that were added.
    public var added: UInt64

    /// Entries that the ledger had before.
    public var known: UInt64

    /// Entries of which the export told nothing but the hash.
    public var withheld: UInt64

    /// The ledger's size and root afterwards.
    public var head: LedgerHead
}
