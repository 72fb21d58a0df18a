import EventStore

/// What compacting a ledger's log came to.
public struct CompactionReport: Hashable, Sendable {
    /// The log's head, which is what it was.
    public let head: LedgerHead

    /// Compact blocks that are in the log now.
    public let compactBlocks: UInt64

    /// Those of them that this compaction made; 0 if there was nothing to do.
    public let newBlocks: UInt64

    /// The entries of these.
    public let newEntries: UInt64

    /// The length of the log's file before, in bytes.
    public let bytesBefore: Int64

    /// The length of the log's file now, in bytes.
    public let bytesAfter: Int64

    init(_ figures: CompactionFigures, head: LedgerHead) {
        self.head = head
        compactBlocks = figures.compactBlocks
        newBlocks = figures.newBlocks
        newEntries = figures.newEntries
        bytesBefore = figures.bytesBefore
        bytesAfter = figures.bytesAfter
    }
}
