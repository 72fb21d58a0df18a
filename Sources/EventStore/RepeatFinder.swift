internal import LMDB

/// Finds out whether an event without a sender's id is stored already and was in order.
///
/// An event later than its source's high-water mark is new without looking. Otherwise it is the one
/// in-order event of that time, which a row of `times` leads to, or ``LateRows`` knows it.
struct RepeatFinder {
    /// Bytes of remembered entries at which all are forgotten.
    ///
    /// A batch that comes again asks for neighbours, source by source in turn; more than a batch's
    /// worth is never asked for again.
    private static let memoryByteCount = 4 << 20

    /// For each source, the stretch that was looked at last.
    private var stretches: [UInt32: InOrderStretch] = [:]
    private var byteCount = 0

    /// For each source, the time of its first in-order event.
    private var firstTimes: [UInt32: Int64] = [:]

    /// Returns the position of the same event, or `nil` if no in-order event is that.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        state: SourceState,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard candidate.occurredAt <= state.highWaterMark else { return nil }
        let occurredAt = candidate.occurredAt
        if let first = firstTimes[source], occurredAt < first { return nil }
        if stretches[source]?.covers(occurredAt) != true {
            if occurredAt == state.highWaterMark {
                let position = state.highWaterPosition
                let isSame = try EntryLookup.isSame(
                    candidate,
                    of: source,
                    at: position,
                    tables,
                    open,
                    transaction
                )
                return isSame ? position : nil
            }
            let start = try stretchStart(of: source, at: occurredAt, tables, transaction)
            guard let start else { return nil }
            let before = prepareStretch(of: source, from: start)
            try Self.extend(
                &stretches[source, default: InOrderStretch(from: start)],
                of: source,
                to: occurredAt,
                limit: state.highWaterPosition,
                tables,
                open,
                transaction
            )
            byteCount += (stretches[source]?.byteCount ?? 0) - before
        }
        return stretches[source]?.position(of: candidate)
    }

    /// Returns the position of the last in-order event that has a row in `times` and happened at
    /// `occurredAt` or before, or `nil` if the source had none yet at that time.
    private mutating func stretchStart(
        of source: UInt32,
        at occurredAt: Int64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        var cursor = try transaction.cursor(tables.times)
        // One millisecond later there is room: times have 48 bits.
        guard try cursor.seek(toLastKeyBefore: LogKey.moment(source, occurredAt + 1, 0)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        else {
            // The first in-order event has a row, and later ones take no event before it.
            if try cursor.seek(toKeyAtOrAfter: LogKey.source(source)),
                let row = LogKey.parseMoment(cursor.key), row.source == source
            {
                firstTimes[source] = row.occurredAt
            }
            return nil
        }
        return row.last
    }

    /// Forgets what is not needed for a stretch that begins at `start`.
    ///
    /// - Returns: The bytes that are remembered of it.
    private mutating func prepareStretch(of source: UInt32, from start: UInt64) -> Int {
        if byteCount > Self.memoryByteCount {
            stretches.removeAll(keepingCapacity: true)
            byteCount = 0
        }
        guard let known = stretches[source] else { return 0 }
        guard known.start != start else { return known.byteCount }
        stretches[source] = nil
        byteCount -= known.byteCount
        return 0
    }

    /// Reads on until the stretch reaches a time that is before its source's high-water mark.
    private static func extend(
        _ stretch: inout InOrderStretch,
        of source: UInt32,
        to occurredAt: Int64,
        limit: UInt64,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws {
        if stretch.end < open.firstPosition {
            var cursor = try transaction.cursor(tables.blocks)
            var buffer = BlockBuffer()
            var isFound = try cursor.seek(toBlockOf: stretch.end)
            while isFound, !stretch.reaches(occurredAt),
                stretch.end < min(open.firstPosition, limit + 1)
            {
                try stretch.read(cursor.block(decodedInto: &buffer).entries, of: source)
                isFound = try cursor.next()
            }
        }
        if !stretch.reaches(occurredAt) {
            try stretch.read(open.entries, of: source)
        }
        guard stretch.reaches(occurredAt) else {
            throw EventLogError.damaged(
                position: min(stretch.start, open.endPosition),
                "the index of times and the state of source \(source) disagree with its events"
            )
        }
    }
}
