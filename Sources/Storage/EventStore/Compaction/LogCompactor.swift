import LMDB
import Proofs

/// The result of compacting a log.
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
    /// - Returns: The result; `nil` if another process has the log open: then nothing was done, and
    ///   this log is still open.
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
                // A copy, because the transaction may run again.
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

/// Takes the rows of the table `blocks` in order and returns those of a compacted one: sealed plain
/// blocks become compact ones, unless that would not make them shorter.
///
/// Compact blocks stay as they are, and so does the last block, to which entries may be added.
struct LogCompactor {
    /// What a row of `blocks` holds.
    typealias Row = Environment.Row

    /// The figures so far.
    private(set) var figures = CompactionFigures()

    /// The position after the last entry of all rows that were taken.
    private(set) var endPosition: UInt64 = 0

    private let encoder = Zstd.Encoder()

    /// The last row that was taken, which may be the open block.
    private var last: Row?

    /// Entries of plain blocks that are in no row yet.
    private var waiting: [UInt8] = []
    private var lengths: [Int] = []
    private var waitingPosition: UInt64 = 0

    /// Takes the next rows.
    ///
    /// - Returns: Rows for the new table, in order; what is missing comes later.
    /// - Throws: `EventLogError.damaged`, `.notALog`.
    mutating func take(_ rows: [Row]) throws(EventLogError) -> [Row] {
        var finished: [Row] = []
        var buffer = BlockBuffer()
        for row in rows {
            if let sealed = last { try take(sealed: sealed, &buffer, &finished) }
            last = row
        }
        return finished
    }

    /// Returns the rows that are still missing; the last row taken stays as it is.
    ///
    /// - Throws: `EventLogError.damaged`, `.notALog`.
    mutating func finish() throws(EventLogError) -> [Row] {
        var finished: [Row] = []
        guard let open = last else { return finished }
        let block = try Self.header(of: open)
        try requireNext(block)
        try writeBlock(&finished)
        finished.append(open)
        endPosition = block.firstPosition + UInt64(block.count)
        last = nil
        return finished
    }

    private mutating func take(
        sealed row: Row,
        _ buffer: inout BlockBuffer,
        _ finished: inout [Row]
    ) throws(EventLogError) {
        let position = try Self.header(of: row).firstPosition
        let block = try BlockView(row.value.span, at: position, decodedInto: &buffer)
        try requireNext(block.header)
        endPosition = block.endPosition
        guard !block.isCompact, block.header.length <= BlockHeader.maximumLength else {
            try writeBlock(&finished)
            if block.isCompact { figures.compactBlocks += 1 }
            return finished.append(row)
        }
        var entries = block.entries
        while let entry = try entries.next() {
            if waiting.count + entry.bytes.count > CompactBlock.maximumContentLength {
                try writeBlock(&finished)
            }
            if lengths.isEmpty { waitingPosition = entries.position - 1 }
            waiting.append(contentsOf: entry.bytes)
            lengths.append(entry.bytes.count)
        }
    }

    private static func header(of row: Row) throws(EventLogError) -> BlockHeader {
        guard row.key.count == 8 else { throw .notALog("a block's key is not a position") }
        let position = row.key.span.bigEndian(at: 0)
        guard let header = BlockHeader(row.value.span), header.firstPosition == position else {
            throw .damaged(position: position, "the block belongs to another position")
        }
        return header
    }

    private func requireNext(_ header: BlockHeader) throws(EventLogError) {
        guard header.firstPosition == endPosition else {
            throw .damaged(
                position: endPosition,
                "the next block starts at \(header.firstPosition)"
            )
        }
    }

    /// Writes all entries that wait as one compact block, or as plain ones if that is no longer.
    private mutating func writeBlock(_ finished: inout [Row]) throws(EventLogError) {
        guard !lengths.isEmpty else { return }
        let block = try CompactBlock.encode(
            waiting.span,
            firstPosition: waitingPosition,
            count: lengths.count,
            with: encoder
        )
        if let block {
            finished.append((LogKey.number(waitingPosition), block))
            figures.compactBlocks += 1
            figures.newBlocks += 1
            figures.newEntries += UInt64(lengths.count)
        } else {
            writePlainBlocks(&finished)
        }
        waiting.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    /// Writes all entries that wait as plain blocks.
    private func writePlainBlocks(_ finished: inout [Row]) {
        var builder = BlockBuilder(firstPosition: waitingPosition)
        var start = 0
        func write(_ builder: inout BlockBuilder) {
            guard let bytes = builder.finish() else { return }
            finished.append((LogKey.number(builder.firstPosition), bytes))
        }
        for length in lengths {
            guard let entry = EntryView(startOf: waiting.span.extracting(droppingFirst: start))
            else { preconditionFailure("what waits was read as entries") }
            if !builder.accepts(length) {
                write(&builder)
                builder = BlockBuilder(firstPosition: builder.endPosition)
            }
            builder.append(entry.bytes, occurredAt: entry.occurredAt)
            start += length
        }
        write(&builder)
    }
}
