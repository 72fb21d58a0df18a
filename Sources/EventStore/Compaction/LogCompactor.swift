internal import LMDB

/// Takes the rows of the table `blocks` in order and returns those of a compacted one: sealed plain
/// blocks become compact ones, unless that would not make them shorter.
///
/// Compact blocks stay as they are, and so does the last block, to which entries may be added.
struct LogCompactor {
    /// What a row of `blocks` holds.
    typealias Row = Environment.Row

    /// What was done so far.
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
