internal import LMDB
package import Platform
package import Proofs

extension EventLog {
    /// Puts tombstones in the place of entries and appends an event for each part, in one
    /// transaction: positions, hashes and roots stay what they were.
    ///
    /// Erased bytes may remain in unused parts of the file until `sweep()`.
    ///
    /// - Parameters:
    ///   - parts: The positions, none twice.
    ///   - now: Milliseconds since 1970; recorded_at of the events is that or the last entry's, if
    ///     it is later.
    ///   - randomness: Where nonces come from.
    ///   - record: Returns the event that says that a part was erased, given its index and the
    ///     RFC 6962 root over its tombstones.
    /// - Returns: The log's head afterwards.
    /// - Throws: `EventLogError.notErasable`, `.damaged`, or `LMDBError`; then nothing was erased.
    package func erase(
        _ parts: [RangeSet<UInt64>],
        recordedAt now: Int64,
        randomness: BufferedRandom,
        record: (Int, Digest) -> EntryContent
    ) throws -> TreeHead {
        try environment.write { transaction in
            // A copy, because the transaction may run again.
            var randomness = randomness
            var memory =
                try ErasedEvents(transaction, tables) ?? ErasedEvents(randomness: &randomness)
            var eraser = LogEraser(tables, memory: memory)
            var roots: [Digest] = []
            for part in parts {
                var tombstones = MerkleFrontier()
                for range in part.ranges {
                    try eraser.erase(range, tombstones: &tombstones, &transaction)
                }
                roots.append(tombstones.root)
            }
            var indexer = try TimeIndexer(tables, sources: eraser.affectedSources, transaction)
            try indexer.run(&transaction)
            var appender = try LogAppender(
                continuing: tables,
                at: now,
                randomness: randomness,
                &transaction
            )
            for (index, root) in roots.enumerated() {
                memory.lastPosition = appender.size
                try appender.appendOwn(record(index, root), &transaction)
            }
            memory.isUnswept = true
            try transaction.put(tables.state, ErasedEvents.key, memory.value, append: false)
            return try appender.finish(&transaction)
        }
    }

    /// The position of the last event that says that entries were erased; `nil` if none were.
    ///
    /// - Throws: `EventLogError` or `LMDBError`.
    package func lastErasure() throws -> UInt64? {
        try read { try ErasedEvents($0, tables)?.lastPosition }
    }

    /// Whether erased bytes may still be in unused parts of the log's file.
    ///
    /// - Throws: `EventLogError` or `LMDBError`.
    package func needsSweep() throws -> Bool {
        try environment.hasLeftoverOfRewriting
            || read { try ErasedEvents($0, tables)?.isUnswept ?? false }
    }
}

extension EventLog {
    /// Rewrites the log's file, so that no part of it holds what was erased, and closes the log: it
    /// MUST NOT be used after that, and can be opened again.
    ///
    /// - Returns: `false` if another process has the log open; then nothing was done, and this log
    ///   is still open.
    /// - Throws: `LMDBError`; then the log is as it was, and open.
    package func sweep() throws -> Bool {
        guard try read({ try ErasedEvents($0, tables)?.isUnswept ?? false }) else {
            // A sweep was cut off at its very end. Another one would not change a single row, and
            // a transaction without a change is what `snapshotFindings` takes for damage.
            let isDone = try environment.finishRewriting()
            if isDone { close() }
            return isDone
        }
        let names = LogTables.names
        let isDone = try environment.rewrite(Self.options, tables: names) { copy, tables in
            guard let tables = LogTables(tables), var memory = try ErasedEvents(copy, tables) else {
                return
            }
            memory.isUnswept = false
            try copy.put(tables.state, ErasedEvents.key, memory.value, append: false)
        }
        if isDone { close() }
        return isDone
    }
}
