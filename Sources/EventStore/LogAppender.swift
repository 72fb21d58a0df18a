internal import LMDB
import Proofs

/// Appends the events of one transaction: gives positions, fills the open block, grows the tree and
/// keeps the indexes, all of it before the commit.
struct LogAppender<Randomness: RandomNumberGenerator> {
    let tables: LogTables
    let recordedAt: Int64
    var randomness: Randomness
    private(set) var state: LogState
    private(set) var open: BlockBuilder

    /// Where the block begins that the transaction found open, and will replace.
    private let replacedBlock: UInt64?

    private var directory: SourceDirectory
    private var repeats = RepeatFinder()
    private var lateRows: LateRows
    private var encoder = EntryEncoder()

    /// What is remembered of erased events; `nil` if there are none.
    private let erased: ErasedEvents?

    /// Takes up the log where the last transaction left it.
    ///
    /// - Parameters:
    ///   - tables: The log's tables.
    ///   - now: Milliseconds since 1970; the entries' recorded_at unless the log has a later one,
    /// for
    ///     recorded_at never decreases.
    ///   - sourceCount: The number of sources that the batch names.
    ///   - randomness: Where nonces come from.
    ///   - transaction: The transaction that appends.
    /// - Throws: `EventLogError.notALog`, `.newerFormat` or `.damaged`, or `LMDBError`.
    init(
        continuing tables: LogTables,
        at now: Int64,
        sourceCount: Int,
        randomness: Randomness,
        _ transaction: inout WriteTransaction
    ) throws {
        self.tables = tables
        lateRows = LateRows(tables)
        self.randomness = randomness
        directory = SourceDirectory(sourceCount: sourceCount)
        guard let value = try transaction.get(tables.state, LogState.key) else {
            throw EventLogError.notALog("it has no state")
        }
        state = try LogState(value)
        guard try LogCopy.withheldCount(transaction, tables) == 0 else {
            throw EventLogError.isIncompleteCopy
        }
        erased = try ErasedEvents(transaction, tables)
        recordedAt = max(now, state.lastRecordedAt)
        precondition(LogLimits.times.contains(recordedAt), "recorded_at must fit into 48 bits")
        open = try Self.openBlock(tables, size: state.frontier.size, transaction)
        replacedBlock = open.count > 0 ? open.firstPosition : nil
    }

    /// Takes up the log to import entries, which bring their own recorded_at; entries may have been
    /// withheld from it.
    ///
    /// - Throws: `EventLogError.notALog`, `.newerFormat` or `.damaged`, or `LMDBError`.
    init(
        importingInto tables: LogTables,
        randomness: Randomness,
        _ transaction: inout WriteTransaction
    ) throws {
        self.tables = tables
        lateRows = LateRows(tables)
        self.randomness = randomness
        directory = SourceDirectory(sourceCount: 0)
        guard let value = try transaction.get(tables.state, LogState.key) else {
            throw EventLogError.notALog("it has no state")
        }
        state = try LogState(value)
        erased = nil
        recordedAt = state.lastRecordedAt
        open = try Self.openBlock(tables, size: state.frontier.size, transaction)
        replacedBlock = open.count > 0 ? open.firstPosition : nil
    }

    /// Begins a log in an empty environment.
    init(
        founding tables: LogTables,
        at now: Int64,
        randomness: Randomness
    ) {
        self.tables = tables
        lateRows = LateRows(tables)
        self.randomness = randomness
        directory = SourceDirectory(sourceCount: 0)
        state = LogState()
        erased = nil
        recordedAt = now
        precondition(LogLimits.times.contains(recordedAt), "recorded_at must fit into 48 bits")
        open = BlockBuilder(firstPosition: 0)
        replacedBlock = nil
    }

    /// Stores one event of a batch, unless it is there already or cannot be stored.
    ///
    /// - Parameters:
    ///   - candidate: The event.
    ///   - name: Its source's name.
    ///   - registration: Returns the content of a `source_registered` event.
    ///   - transaction: The transaction that appends.
    /// - Returns: What became of the event.
    /// - Throws: `EventLogError.tooManySources`, `.notALog` or `.damaged`, or `LMDBError`.
    mutating func append(
        _ candidate: EntryBatch.Candidate,
        sourceName name: String,
        registration: EventLog.SourceRegistration,
        _ transaction: inout WriteTransaction
    ) throws -> AppendOutcome {
        guard
            let byteCount = EntryEncoder.byteCount(
                idCount: candidate.id.count,
                payloadCount: candidate.payload.count
            )
        else { return .tooLarge }
        let index = candidate.sourceIndex
        let slot: Int
        if let known = try directory.slot(ofSourceAt: index, named: name, tables, transaction) {
            slot = known
            if let earlier = try earlierOutcome(candidate, slot: known, transaction) {
                return earlier
            }
        } else {
            slot = try directory.add(sourceAt: index, named: name, tables, &transaction)
            try appendOwn(registration(directory.number(at: slot), name), &transaction)
        }
        if let position = try erasedPosition(candidate, sourceName: name, transaction) {
            return .duplicate(of: position)
        }
        let source = directory.number(at: slot)
        let position = try store(candidate, byteCount: byteCount, source: source, &transaction)
        if !candidate.id.isEmpty {
            var value: [UInt8] = []
            value.append(littleEndian: position)
            let key = LogKey.id(source, candidate.id)
            try transaction.put(tables.ids, key, value, append: false)
        }
        try note(candidate, slot: slot, position: position, &transaction)
        return .appended(position: position)
    }

    /// Counts a stored event and gives it its row in `times` or `late`.
    private mutating func note(
        _ candidate: EntryBatch.Candidate,
        slot: Int,
        position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        guard !directory.isInOrder(candidate.occurredAt, at: slot) else {
            return try directory.noteInOrder(
                candidate.occurredAt,
                slot: slot,
                position: position,
                tables,
                &transaction
            )
        }
        directory.noteLate(slot: slot)
        try lateRows.add(
            directory.number(at: slot),
            occurredAt: candidate.occurredAt,
            contentDigest: candidate.contentDigest,
            position: position,
            &transaction
        )
    }

    /// Stores an event of the ledger itself: source 0, happening now.
    mutating func appendOwn(
        _ content: EntryContent,
        _ transaction: inout WriteTransaction
    ) throws {
        var batch = EntryBatch()
        batch.append(
            sourceIndex: batch.index(ofSource: ""),
            kind: content.kind,
            form: content.form,
            occurredAt: recordedAt,
            id: [UInt8]().span,
            payload: content.payload.span
        )
        let candidate = batch[0]
        guard
            let byteCount = EntryEncoder.byteCount(
                idCount: 0,
                payloadCount: content.payload.count
            )
        else { preconditionFailure("an event of the ledger itself fits into an entry") }
        _ = try store(candidate, byteCount: byteCount, source: 0, &transaction)
    }

    /// Writes what is still in memory; the transaction MUST commit right after.
    mutating func finish(_ transaction: inout WriteTransaction) throws {
        try writeOpenBlock(&transaction)
        try lateRows.write(&transaction)
        try directory.write(tables, &transaction)
        try transaction.put(tables.state, LogState.key, state.value, append: false)
    }

    private mutating func earlierOutcome(
        _ candidate: EntryBatch.Candidate,
        slot: Int,
        _ transaction: borrowing WriteTransaction
    ) throws -> AppendOutcome? {
        let source = directory.number(at: slot)
        if !candidate.id.isEmpty {
            let key = LogKey.id(source, candidate.id)
            guard let value = try transaction.get(tables.ids, key) else { return nil }
            let position = try LogValue.position(value)
            let isSame = try EntryLookup.isSame(
                candidate,
                of: source,
                at: position,
                tables,
                open,
                transaction
            )
            return isSame ? .duplicate(of: position) : .conflict(with: position)
        }
        // Without taking the state, and its name, out of the directory.
        if directory.isInOrder(candidate.occurredAt, at: slot) { return nil }
        let position =
            try repeats.position(
                of: candidate,
                source: source,
                state: directory.state(at: slot),
                tables,
                open,
                transaction
            ) ?? lateRows.position(of: candidate, source: source, open, transaction)
        return position.map { .duplicate(of: $0) }
    }

    /// Returns the position of the tombstone of the same event, or `nil` if it was not erased.
    private func erasedPosition(
        _ candidate: EntryBatch.Candidate,
        sourceName name: String,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard let erased else { return nil }
        let key = erased.key(of: candidate.identityDigest(sourceName: name))
        guard let value = try transaction.get(tables.state, key) else { return nil }
        return try LogValue.position(value)
    }

    private mutating func store(
        _ candidate: EntryBatch.Candidate,
        byteCount: Int,
        source: UInt32,
        _ transaction: inout WriteTransaction
    ) throws -> UInt64 {
        // Out of `self` while its bytes are lent to other parts of `self`; a swap copies nothing.
        var encoder = EntryEncoder()
        swap(&encoder, &self.encoder)
        defer { swap(&encoder, &self.encoder) }
        encoder.encode(
            candidate,
            byteCount: byteCount,
            source: source,
            recordedAt: recordedAt,
            nonce: randomness.next()
        )
        return try place(
            encoder.bytes.span,
            leaf: SHA256.leaf(encoder.bytes.span),
            times: (candidate.occurredAt, recordedAt),
            &transaction
        )
    }

    /// Puts the bytes of an entry at the end of the log, and its hash into the tree.
    ///
    /// - Parameters:
    ///   - entry: The bytes.
    ///   - leaf: The entry's leaf hash.
    ///   - times: When it happened and when the ledger stored it.
    ///   - transaction: The transaction that appends.
    /// - Returns: Its position.
    /// - Throws: `LMDBError`.
    mutating func place(
        _ entry: Span<UInt8>,
        leaf: Digest,
        times: (occurredAt: Int64, recordedAt: Int64),
        _ transaction: inout WriteTransaction
    ) throws -> UInt64 {
        if !open.accepts(entry.count) {
            try writeOpenBlock(&transaction)
            open = BlockBuilder(firstPosition: open.endPosition)
        }
        let position = open.endPosition
        precondition(position == state.frontier.size, "positions are gapless")
        open.append(entry, occurredAt: times.occurredAt)
        if let root = state.frontier.append(leaf) {
            let subtree = position / MerkleFrontier.subtreeWidth
            try transaction.put(
                tables.tree,
                LogKey.number(subtree),
                root.array,
                append: true
            )
        }
        state.lastRecordedAt = times.recordedAt
        return position
    }

    private mutating func writeOpenBlock(_ transaction: inout WriteTransaction) throws {
        guard let bytes = open.finish() else { return }
        try transaction.put(
            tables.blocks,
            LogKey.number(open.firstPosition),
            bytes,
            append: open.firstPosition != replacedBlock
        )
    }

    /// Takes up the last block, or begins one if the log is empty.
    private static func openBlock(
        _ tables: LogTables,
        size: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> BlockBuilder {
        var cursor = try transaction.cursor(tables.blocks)
        guard try cursor.last() else {
            guard size == 0 else {
                throw EventLogError.damaged(position: 0, "there are no blocks")
            }
            return BlockBuilder(firstPosition: 0)
        }
        var buffer = BlockBuffer()
        let block = try BlockBuilder(after: cursor.block(decodedInto: &buffer))
        guard block.endPosition == size else {
            throw EventLogError.damaged(
                position: min(block.endPosition, size),
                "the log says it holds \(size) entries, its blocks end at \(block.endPosition)"
            )
        }
        return block
    }
}
