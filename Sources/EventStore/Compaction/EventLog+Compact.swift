internal import LMDB
internal import Proofs

/// What compacting a log came to.
package struct CompactionFigures: Hashable, Sendable {
    /// Compact blocks that are there now.
    package var compactBlocks: UInt64 = 0

    /// Those of them that were not there before.
    package var newBlocks: UInt64 = 0

    /// The entries of these.
    package var newEntries: UInt64 = 0

    /// The length of the log's file before, in bytes.
    package var bytesBefore: Int64 = 0

    /// The length of the log's file afterwards, in bytes.
    package var bytesAfter: Int64 = 0

    /// Whether the file was written anew, so that the log has to be opened again.
    package var isRewritten = false

    /// Creates figures of nothing.
    package init() {}
}

extension EventLog {
    /// Writes the log's file anew with its sealed blocks compressed, and closes the log.
    ///
    /// It MUST NOT be used after that, and can be opened again. Entries, positions and roots stay.
    ///
    /// - Parameter onProgress: Told how many entries have been read.
    /// - Returns: What it came to; `nil` if another process has the log open: then nothing was
    ///   done, and this log is still open.
    /// - Throws: `EventLogError.damaged`, `LMDBError`; then the log is as it was, and open.
    package func compact(
        onProgress: (_ entries: UInt64) -> Void
    ) throws -> CompactionFigures? {
        var compactor = LogCompactor()
        var state: Environment.Row?
        let bytesBefore = try fileBytes()
        let isDone = try environment.rewrite(
            Self.options,
            tables: LogTables.names,
            convert: { table, rows in
                switch table {
                case "blocks":
                    let converted = try compactor.take(rows)
                    onProgress(compactor.endPosition)
                    return converted
                case "state":
                    // The log's state comes last, so that no snapshot before shows this log.
                    state = rows.first { $0.key == LogState.key } ?? state
                    return rows.filter { $0.key != LogState.key }
                default: return rows
                }
            },
            finish: { copy, tables in
                guard let tables = LogTables(tables), let state else {
                    throw EventLogError.notALog("it has no state")
                }
                // A copy, for the transaction may run again.
                var rest = compactor
                for row in try rest.finish() {
                    try copy.put(tables.blocks, row.key, row.value, append: true)
                }
                let size = try LogState(state.value.span).frontier.size
                guard rest.endPosition == size else {
                    throw EventLogError.damaged(
                        position: min(rest.endPosition, size),
                        "the log says it holds \(size) entries, its blocks end at "
                            + "\(rest.endPosition)"
                    )
                }
                try copy.put(tables.state, state.key, state.value, append: false)
            }
        )
        guard isDone else { return nil }
        _ = try compactor.finish()
        close()
        var figures = compactor.figures
        figures.bytesBefore = bytesBefore
        figures.bytesAfter = try fileBytes()
        figures.isRewritten = true
        return figures
    }

    /// The length of the log's file, in bytes.
    ///
    /// - Throws: `LMDBError`.
    package func fileBytes() throws -> Int64 {
        try Environment.fileBytes(at: environment.path)
    }

    /// How many sealed blocks are plain, and how many are compact.
    ///
    /// - Throws: `EventLogError.notALog`, `LMDBError`.
    package func sealedBlocks() throws -> (plain: UInt64, compact: UInt64) {
        var counts = (plain: UInt64(0), compact: UInt64(0))
        try environment.scan(tables.blocks, from: []) { _, value in
            if BlockHeader(value)?.version == CompactBlock.version {
                counts.compact += 1
            } else {
                counts.plain += 1
            }
            return true
        }
        // The last block is open.
        if counts.plain > 0 { counts.plain -= 1 }
        return counts
    }

    /// Whether a compaction or a sweep that was cut off left a directory behind.
    package var hasLeftover: Bool { environment.hasLeftoverOfRewriting }
}
