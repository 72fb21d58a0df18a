internal import LMDB

/// Compares events with entries that a write transaction sees: stored ones and those of the open
/// block that is still in memory.
enum EntryLookup {
    /// Returns whether the entry at `position` is the same event: same content, and both with or
    /// both without a sender's id.
    static func isSame(
        _ candidate: EntryBatch.Candidate,
        at position: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        if position >= open.firstPosition {
            return try isSame(candidate, at: position, in: open.entries)
        }
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.seek(toBlockOf: position) else {
            throw EventLogError.damaged(position: position, "there is no block for it")
        }
        let block = try cursor.block
        return try isSame(candidate, at: position, in: block.entries)
    }

    private static func isSame(
        _ candidate: EntryBatch.Candidate,
        at position: UInt64,
        in entries: EntryIterator
    ) throws -> Bool {
        var entries = entries
        while true {
            let isWanted = entries.position == position
            guard let entry = try entries.next() else {
                throw EventLogError.damaged(position: position, "its block ends before it")
            }
            if isWanted {
                return entry.hasID != candidate.id.isEmpty && candidate.hasSameContent(as: entry)
            }
        }
    }
}
