import EventStore
import Proofs
public import TripLedger

extension Ledger {
    /// Writes the log's file anew with its full blocks compressed, which take a third to
    /// half of the room.
    ///
    /// Every entry, its position and its hash stay what they were, and with them heads, proofs and
    /// views. A run that is cut off leaves the log as it was, or compacted. This ledger MUST NOT be
    /// used after that; use the one that is returned instead.
    ///
    /// - Parameter onProgress: Told how many of the entries have been read.
    /// - Returns: The result, and the ledger, open; `nil` if another process has it open, and
    ///   nothing was done.
    /// - Throws: `.damaged`, `.inputOutput`; then the log is as it was.
    public func compact(
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws(LedgerError) -> (report: CompactionReport, ledger: Ledger)? {
        // The log's directory is replaced, and a record that was laid there would be lost.
        try LedgerError.translating(at: path) { try SafekeepingHistory(of: path).settle() }
        let figures = try LedgerError.translating(at: path) { () -> CompactionFigures? in
            let head = try log.head()
            let sealed = try eventLog.sealedBlocks()
            guard sealed.plain > 0 || eventLog.hasLeftover else {
                var figures = CompactionFigures()
                figures.compactBlocks = sealed.compact
                figures.bytesBefore = try eventLog.fileBytes()
                figures.bytesAfter = figures.bytesBefore
                return figures
            }
            return try eventLog.compact { onProgress($0, head.size) }
        }
        guard let figures else { return nil }
        let ledger = figures.isRewritten ? try reopened() : self
        let head = try LedgerError.translating(at: path) { LedgerHead(try ledger.log.head()) }
        return (CompactionReport(figures, head: head), ledger)
    }
}

/// The result of compacting a ledger's log.
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
