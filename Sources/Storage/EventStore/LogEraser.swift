import LMDB
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
    ///   - record: Returns the event that says that a part was erased, given its index and what it
    ///     commits to.
    /// - Returns: The log's head afterwards.
    /// - Throws: `EventLogError.notErasable`, `.damaged`, or `LMDBError`; then nothing was erased.
    package func erase(
        _ parts: [RangeSet<UInt64>],
        recordedAt now: Int64,
        randomness: BufferedRandom,
        record: (Int, ErasureCommitment) -> EntryContent
    ) throws -> TreeHead {
        try environment.write { transaction in
            // A copy, because the transaction may run again.
            var randomness = randomness
            var memory =
                try ErasedEvents(transaction, tables) ?? ErasedEvents(randomness: &randomness)
            // The new event commits to all that is remembered: what is damaged must not seem sound.
            guard try memory.isWhole(tables, transaction) else {
                throw EventLogError.damaged(
                    position: memory.committedAt,
                    "events that were erased before would not be recognised"
                )
            }
            var eraser = LogEraser(tables, memory: memory)
            var roots: [Digest] = []
            for part in parts {
                var tombstones = MerkleFrontier()
                for range in part.ranges {
                    try eraser.erase(range, tombstones: &tombstones, &transaction)
                }
                roots.append(tombstones.root)
            }
            try memory.close(tables, transaction)
            try transaction.put(tables.state, ErasedEvents.key, memory.value, append: false)
            var indexer = try TimeIndexer(tables, sources: eraser.affectedSources, transaction)
            try indexer.run(&transaction)
            var appender = try LogAppender(
                continuing: tables,
                at: now,
                randomness: randomness,
                &transaction
            )
            for (index, root) in roots.enumerated() {
                let commitment = ErasureCommitment(
                    tombstoneRoot: root,
                    memory: memory.digest,
                    previous: memory.lastPosition == 0 ? nil : memory.lastPosition
                )
                memory.lastPosition = appender.size
                memory.committedAt = appender.size
                try appender.appendOwn(record(index, commitment), &transaction)
            }
            memory.isUnswept = true
            try transaction.put(tables.state, ErasedEvents.key, memory.value, append: false)
            return try appender.finish(&transaction)
        }
    }

    /// Whether erased bytes may still be in unused parts of the log's file.
    ///
    /// - Throws: `EventLogError` or `LMDBError`.
    package func needsSweep() throws -> Bool {
        try environment.hasLeftoverOfRewriting
            || environment.read { try ErasedEvents($0, tables)?.isUnswept ?? false }
    }

    /// Rewrites the log's file, so that no part of it holds what was erased, and closes the log: it
    /// MUST NOT be used after that, and can be opened again.
    ///
    /// - Returns: `false` if another process has the log open; then nothing was done, and this log
    ///   is still open.
    /// - Throws: `LMDBError`; then the log is as it was, and open.
    package func sweep() throws -> Bool {
        guard try environment.read({ try ErasedEvents($0, tables)?.isUnswept ?? false }) else {
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

extension ReadableLog {
    /// The position of the last event that says that entries were erased; `nil` if none were.
    ///
    /// - Throws: `EventLogError` or `LMDBError`.
    package func lastErasure() throws -> UInt64? {
        var last = try read { try ErasedEvents($0, tables)?.lastPosition }
        guard let position = last, position >= shownEnd else { return last }
        last = nil
        try scanBackwards(from: shownEnd) { block in
            try block.eachEntryReversed { entry, position in
                guard entry.source == 0, entry.kind == ErasureAudit.kind else { return true }
                last = position
                return false
            }
        }
        return last
    }
}

/// Puts tombstones in the place of entries, within one transaction.
struct LogEraser {
    private let tables: LogTables
    private var memory: ErasedEvents
    private var sources: [UInt32: String] = [:]

    /// Prepares to erase; `memory` is what the log remembers of events erased before.
    init(_ tables: LogTables, memory: ErasedEvents) {
        self.tables = tables
        self.memory = memory
    }

    /// The sources that lost entries, by number.
    var affectedSources: Set<UInt32> { Set(sources.keys) }

    /// Replaces the entries of a range.
    ///
    /// - Parameters:
    ///   - range: Positions of entries that are not the ledger's own.
    ///   - tombstones: Grows by the tombstones' hashes.
    ///   - transaction: The transaction that erases.
    /// - Throws: `EventLogError.notErasable`, `.damaged`, or `LMDBError`.
    mutating func erase(
        _ range: Range<UInt64>,
        tombstones: inout MerkleFrontier,
        _ transaction: inout WriteTransaction
    ) throws {
        var next = range.lowerBound
        var buffer = BlockBuffer()
        while next < range.upperBound {
            guard let bytes = try Self.block(holding: next, tables, transaction) else {
                throw EventLogError.notErasable(position: next)
            }
            let block = try BlockView(
                bytes.value.span,
                at: bytes.position,
                decodedInto: &buffer
            )
            guard next < block.endPosition else {
                throw EventLogError.notErasable(position: next)
            }
            try rewrite(block, range, tombstones: &tombstones, &transaction)
            next = block.endPosition
        }
    }

    /// Copies a block, because no span may be held while the transaction changes.
    private static func block(
        holding position: UInt64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> (position: UInt64, value: [UInt8])? {
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.seek(toBlockOf: position) else { return nil }
        var value: [UInt8] = []
        value.append(contentsOf: cursor.value)
        return (try cursor.blockPosition, value)
    }

    private mutating func rewrite(
        _ block: BlockView,
        _ range: Range<UInt64>,
        tombstones: inout MerkleFrontier,
        _ transaction: inout WriteTransaction
    ) throws {
        var builder = BlockBuilder(firstPosition: block.firstPosition)
        var entries = block.entries
        while true {
            let position = entries.position
            guard let entry = try entries.next() else { break }
            var bytes: [UInt8] = []
            var occurredAt = entry.occurredAt
            if range.contains(position) {
                let tombstone = try tombstone(of: entry, at: position, &transaction)
                bytes = tombstone.bytes
                occurredAt = tombstone.recordedAt
                _ = tombstones.append(SHA256.leaf(bytes.span))
            } else {
                bytes.append(contentsOf: entry.bytes)
            }
            if !builder.accepts(bytes.count) {
                try write(&builder, &transaction)
                builder = BlockBuilder(firstPosition: builder.endPosition)
            }
            builder.append(bytes.span, occurredAt: occurredAt)
        }
        try write(&builder, &transaction)
    }

    private func write(
        _ builder: inout BlockBuilder,
        _ transaction: inout WriteTransaction
    ) throws {
        guard let bytes = builder.finish() else { return }
        let key = LogKey.number(builder.firstPosition)
        try transaction.put(tables.blocks, key, bytes, append: false)
    }

    /// Returns the tombstone of an entry, and remembers the event.
    private mutating func tombstone(
        of entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws -> Tombstone {
        guard entry.source != 0, !entry.isTombstone else {
            throw EventLogError.notErasable(position: position)
        }
        let name = try name(of: entry.source, at: position, transaction)
        var value: [UInt8] = []
        value.append(littleEndian: position)
        let identity = entry.identityDigest(sourceName: name)
        let key = memory.key(of: identity)
        try transaction.put(tables.state, key, value, append: false)
        if entry.hasID {
            _ = try transaction.delete(tables.ids, LogKey.id(entry.source, entry.id))
        }
        return Tombstone(of: entry)
    }

    private mutating func name(
        of source: UInt32,
        at position: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> String {
        if let name = sources[source] { return name }
        guard let row = try transaction.get(tables.sources, LogKey.source(source)),
            let state = SourceState(row)
        else {
            throw EventLogError.damaged(position: position, "its source \(source) is unknown")
        }
        sources[source] = state.name
        return state.name
    }
}
