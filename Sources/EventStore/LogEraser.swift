internal import LMDB
internal import Proofs

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
