internal import LMDB

/// Compares events with entries that a write transaction sees: stored ones and those of the open
/// block that is still in memory.
enum EntryLookup {
    /// Returns whether the entry at `position`, where an index led to, has the same content.
    ///
    /// - Throws: `EventLogError.damaged` if the entry is of another source, id or time, which no
    ///   sound index leads to.
    static func isSame(
        _ candidate: EntryBatch.Candidate,
        of source: UInt32,
        at position: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> Bool {
        if position >= open.firstPosition {
            return try isSame(candidate, of: source, at: position, in: open.entries)
        }
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.seek(toBlockOf: position) else {
            throw EventLogError.damaged(position: position, "there is no block for it")
        }
        var buffer = BlockBuffer()
        let block = try cursor.block(decodedInto: &buffer)
        return try isSame(candidate, of: source, at: position, in: block.entries)
    }

    private static func isSame(
        _ candidate: EntryBatch.Candidate,
        of source: UInt32,
        at position: UInt64,
        in entries: EntryIterator
    ) throws -> Bool {
        var entries = entries
        while true {
            let isWanted = entries.position == position
            guard let entry = try entries.next() else {
                throw EventLogError.damaged(position: position, "its block ends before it")
            }
            guard isWanted else { continue }
            guard entry.source == source,
                candidate.id.isEmpty
                    ? candidate.occurredAt == entry.occurredAt
                    : entry.id.hasSameBytes(as: candidate.id)
            else {
                throw EventLogError.damaged(position: position, "an index takes it for another")
            }
            return candidate.hasSameContent(as: entry)
        }
    }
}
