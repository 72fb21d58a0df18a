internal import LMDB

/// Finds out whether an event without a sender's id is stored already.
///
/// An event later than its source's high-water mark is new without looking. Otherwise two rows of
/// `times` bound the stretch of the log in which an in-order event of that time must be, and `late`
/// knows all others.
struct RepeatFinder {
    /// What is remembered of one entry in the stretch looked at last.
    private struct Seen {
        var occurredAt: Int64
        var position: UInt64
        var kind: UInt8
        var form: UInt8
        var payload: [UInt8]
    }

    private var source: UInt32 = 0
    private var start: UInt64 = 0
    private var end: UInt64 = 0
    private var seen: [Seen] = []

    /// Returns the position of the same event, or `nil` if it is new.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        state: SourceState,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard state.inOrderEvents > 0, candidate.occurredAt <= state.highWaterMark else {
            return nil
        }
        let stretch = try stretch(
            at: candidate.occurredAt,
            source: source,
            state: state,
            tables,
            open,
            transaction
        )
        if let stretch {
            try look(at: stretch, source: source, tables, open, transaction)
            if let position = position(of: candidate, in: stretch) { return position }
        }
        guard candidate.occurredAt < state.highWaterMark else { return nil }
        return try latePosition(of: candidate, source: source, tables, open, transaction)
    }

    /// Returns the positions between which in-order events of this time are, or `nil` if the source
    /// had no in-order event yet at that time.
    private func stretch(
        at occurredAt: Int64,
        source: UInt32,
        state: SourceState,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> Range<UInt64>? {
        if occurredAt == state.highWaterMark {
            return state.highWaterPosition..<open.endPosition
        }
        var cursor = try transaction.cursor(tables.times)
        var start: UInt64?
        if try cursor.seek(toLastKeyBefore: LogKey.moment(source, occurredAt, 0)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        {
            start = row.last
        }
        var end = state.highWaterPosition
        var isFound = try cursor.seek(toKeyAtOrAfter: LogKey.moment(source, occurredAt, 0))
        while isFound, let row = LogKey.parseMoment(cursor.key), row.source == source {
            if row.occurredAt > occurredAt {
                end = min(end, row.last)
                break
            }
            start = start ?? row.last
            isFound = try cursor.next()
        }
        guard let start, start < end else { return nil }
        return start..<end
    }

    /// Reads the source's entries of a stretch, unless that is what was read last.
    private mutating func look(
        at stretch: Range<UInt64>,
        source: UInt32,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws {
        if source != self.source || stretch.lowerBound != start || end < stretch.lowerBound {
            self.source = source
            start = stretch.lowerBound
            end = stretch.lowerBound
            seen.removeAll(keepingCapacity: true)
        }
        guard end < stretch.upperBound else { return }
        if end < open.firstPosition {
            var cursor = try transaction.cursor(tables.blocks)
            var isFound = try cursor.seek(toBlockOf: end)
            while isFound, end < min(stretch.upperBound, open.firstPosition) {
                let block = try cursor.block
                try remember(block.entries, upTo: stretch.upperBound)
                isFound = try cursor.next()
            }
        }
        if end < stretch.upperBound {
            try remember(open.entries, upTo: stretch.upperBound)
        }
    }

    /// Remembers the entries at `self.end ..< end`.
    private mutating func remember(_ entries: EntryIterator, upTo end: UInt64) throws {
        var entries = entries
        while entries.position < end {
            let position = entries.position
            guard let entry = try entries.next() else { return }
            guard position >= self.end else { continue }
            self.end = position + 1
            guard entry.source == source, !entry.hasID else { continue }
            var payload: [UInt8] = []
            payload.append(contentsOf: entry.payload)
            seen.append(
                Seen(
                    occurredAt: entry.occurredAt,
                    position: position,
                    kind: entry.kind,
                    form: entry.form,
                    payload: payload
                )
            )
        }
    }

    private func position(
        of candidate: EntryBatch.Candidate,
        in stretch: Range<UInt64>
    ) -> UInt64? {
        for entry in seen where entry.occurredAt == candidate.occurredAt {
            if stretch.contains(entry.position), entry.kind == candidate.kind,
                entry.form == candidate.form,
                entry.payload.span.hasSameBytes(as: candidate.payload)
            {
                return entry.position
            }
        }
        return nil
    }

    private func latePosition(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        _ tables: LogTables,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        var digest = candidate.contentDigest
        while let value = try transaction.get(
            tables.late,
            LogKey.moment(source, candidate.occurredAt, digest)
        ) {
            let position = value.littleEndian(at: 0)
            if try EntryLookup.isSame(candidate, at: position, tables, open, transaction) {
                return position
            }
            digest &+= 1
        }
        return nil
    }
}
