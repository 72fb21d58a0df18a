internal import LMDB
import Proofs

/// Appends the events of one transaction: assigns positions, fills the open block, extends the tree
/// and updates the indexes, all before the commit.
struct LogAppender<Randomness: RandomNumberGenerator> {
    let tables: LogTables
    let recordedAt: Int64
    var randomness: Randomness

    /// The state as the transaction found it; `finish(_:)` replaces it.
    private var state: LogState

    private var open: BlockBuilder
    private var tree: GrowingTree

    /// Whether there are erased events; checked for every event, because checking `erased` copies
    /// it.
    private let hasErased: Bool

    /// The first position of the block that was open before and is replaced; `nil` if none was.
    private let replacedBlock: UInt64?

    private var directory = SourceDirectory()
    private var duplicates = DuplicateFinder()
    private var lateRows: LateRows

    /// The memory of erased events; `nil` if there are none.
    private let erased: ErasedEvents?

    /// Continues the log where the last transaction ended.
    ///
    /// - Parameters:
    ///   - tables: The log's tables.
    ///   - now: Milliseconds since 1970; the entries' recorded_at unless the log has a later one,
    ///     because recorded_at never decreases.
    ///   - eventsForThread: The number of events that may come and be hashed on another thread.
    ///   - mostSources: How many sources the log may have afterwards.
    ///   - randomness: Where nonces come from.
    ///   - transaction: The transaction that appends.
    /// - Throws: `EventLogError.notALog`, `.newerFormat` or `.damaged`, or `LMDBError`.
    init(
        continuing tables: LogTables,
        at now: Int64,
        eventsForThread: Int = 0,
        mostSources: Int = AppendConditions.mostSources,
        randomness: Randomness,
        _ transaction: inout WriteTransaction
    ) throws {
        let state = try Self.state(tables, transaction)
        guard try transaction.get(tables.state, IncompleteCopy.key) == nil else {
            throw EventLogError.isIncompleteCopy
        }
        self.init(
            tables,
            state,
            open: try BlockBuilder(endOf: tables, size: state.frontier.size, transaction),
            erased: try ErasedEvents(appendingTo: tables, transaction),
            at: max(now, state.lastRecordedAt),
            randomness
        )
        tree = GrowingTree(state.frontier, eventsForThread: eventsForThread)
        directory.most = mostSources
    }

    /// Continues the log to import entries, which have their own recorded_at; entries may have been
    /// withheld from the log.
    ///
    /// - Throws: `EventLogError.notALog`, `.newerFormat` or `.damaged`, or `LMDBError`.
    init(
        importingInto tables: LogTables,
        randomness: Randomness,
        _ transaction: inout WriteTransaction
    ) throws {
        let state = try Self.state(tables, transaction)
        self.init(
            tables,
            state,
            open: try BlockBuilder(endOf: tables, size: state.frontier.size, transaction),
            erased: nil,
            at: state.lastRecordedAt,
            randomness
        )
    }

    /// Starts a log in an empty environment.
    init(
        founding tables: LogTables,
        at now: Int64,
        randomness: Randomness
    ) {
        self.init(
            tables,
            LogState(),
            open: BlockBuilder(firstPosition: 0),
            erased: nil,
            at: now,
            randomness
        )
    }

    private init(
        _ tables: LogTables,
        _ state: LogState,
        open: BlockBuilder,
        erased: ErasedEvents?,
        at recordedAt: Int64,
        _ randomness: Randomness
    ) {
        precondition(LogLimits.times.contains(recordedAt), "recorded_at must fit into 48 bits")
        self.tables = tables
        self.recordedAt = recordedAt
        self.randomness = randomness
        self.state = state
        self.open = open
        self.erased = erased
        hasErased = erased != nil
        tree = GrowingTree(state.frontier, eventsForThread: 0)
        replacedBlock = open.count > 0 ? open.firstPosition : nil
        lateRows = LateRows(tables)
    }

    private static func state(
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> LogState {
        let value = try transaction.get(tables.state, LogState.key)
        guard let value else { throw EventLogError.notALog("it has no state") }
        return try LogState(value)
    }

    /// The number of entries so far.
    var size: UInt64 { open.endPosition }

    /// The recorded_at of the last entry so far: milliseconds since 1970.
    var lastRecordedAt: Int64 { state.lastRecordedAt }

    /// The size and root of the log as the transaction found it; MUST NOT be read after `finish`.
    var headBefore: TreeHead { state.frontier.head }

    /// Stores the events of a batch, unless they are there already or cannot be stored.
    ///
    /// - Parameters:
    ///   - batch: The events; its sources begin with those of the batches before it.
    ///   - registration: Returns the content of a `source_registered` event.
    ///   - notes: The ledger's notes about the events.
    ///   - outcomes: Receives the outcomes of the events.
    ///   - transaction: The transaction that appends.
    /// - Throws: `EventLogError.tooManySources`, `.notALog` or `.damaged`, or `LMDBError`.
    mutating func append(
        _ batch: borrowing EntryBatch,
        _ registration: EventLog.SourceRegistration,
        _ notes: EntryNotes?,
        outcomes: inout [AppendOutcome],
        _ transaction: inout WriteTransaction
    ) throws {
        directory.expect(sourceCount: batch.sources.count)
        for index in 0..<batch.count {
            let outcome = try append(batch, at: index, registration, &transaction)
            if let notes, case .appended(let position) = outcome,
                let note = notes.afterEvent(outcomes.count, position)
            {
                try appendOwn(note, &transaction)
            }
            outcomes.append(outcome)
        }
    }

    private mutating func append(
        _ batch: borrowing EntryBatch,
        at index: Int,
        _ registration: EventLog.SourceRegistration,
        _ transaction: inout WriteTransaction
    ) throws -> AppendOutcome {
        let candidate = batch[index]
        guard
            let byteCount = EntryEncoder.byteCount(
                idCount: candidate.id.count,
                payloadCount: candidate.payload.count
            )
        else { return .tooLarge }
        let sourceIndex = candidate.sourceIndex
        let slot: Int
        if let known = try directory.slot(ofSourceAt: sourceIndex, of: batch, tables, transaction) {
            guard known != SourceDirectory.otherGroup else { return .otherGroup }
            slot = known
            if let earlier = try earlierOutcome(candidate, slot: known, transaction) {
                return earlier
            }
        } else {
            let source = batch.sources[sourceIndex]
            slot = try directory.add(sourceAt: sourceIndex, source, tables, &transaction)
            try appendOwn(registration(directory.number(at: slot), source), &transaction)
        }
        if hasErased, let position = try erasedPosition(candidate, of: batch, transaction) {
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
        guard
            let byteCount = EntryEncoder.byteCount(
                idCount: 0,
                payloadCount: content.payload.count
            )
        else { preconditionFailure("an event of the ledger itself fits into an entry") }
        _ = try store(batch[0], byteCount: byteCount, source: 0, &transaction)
    }

    /// Writes what is still in memory; the transaction MUST be committed right after.
    ///
    /// - Returns: The log's head.
    mutating func finish(_ transaction: inout WriteTransaction) throws -> TreeHead {
        try writeOpenBlock(&transaction)
        try directory.write(tables, &transaction)
        let tree = try tree.finish()
        for (subtree, root) in zip(tree.firstSubtree..., tree.subtreeRoots) {
            try transaction.put(tables.tree, LogKey.number(subtree), root.array, append: true)
        }
        precondition(tree.frontier.size == size, "the tree has all entries")
        state.frontier = tree.frontier
        try transaction.put(tables.state, LogState.key, state.value, append: false)
        return state.frontier.head
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
        // Does not copy the state, which holds the source's name.
        if directory.isInOrder(candidate.occurredAt, at: slot) { return nil }
        let next = try duplicates.positionAfterLast(
            of: candidate,
            source: source,
            tables,
            open,
            transaction
        )
        if let next { return .duplicate(of: next) }
        let position =
            try duplicates.position(
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
        of batch: borrowing EntryBatch,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard let erased else { return nil }
        let name = batch.sources[candidate.sourceIndex].name
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
        // Copied, because `self.open` is being changed while they are written.
        let (recordedAt, nonce) = (recordedAt, randomness.next())
        let position = try makeRoom(for: byteCount, &transaction)
        open.append(byteCount: byteCount, occurredAt: candidate.occurredAt) { output in
            EntryEncoder.encode(
                candidate,
                byteCount: byteCount,
                source: source,
                recordedAt: recordedAt,
                nonce: nonce,
                to: &output
            )
        }
        state.lastRecordedAt = recordedAt
        return position
    }

    /// Puts the bytes of an entry at the end of the log.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - transaction: The transaction that appends.
    /// - Returns: Its position.
    /// - Throws: `LMDBError`.
    mutating func place(
        _ entry: EntryView,
        _ transaction: inout WriteTransaction
    ) throws -> UInt64 {
        let position = try makeRoom(for: entry.bytes.count, &transaction)
        open.append(entry.bytes, occurredAt: entry.occurredAt)
        state.lastRecordedAt = entry.recordedAt
        return position
    }

    /// Begins a new block if the open one has no room for an entry; returns the entry's position.
    private mutating func makeRoom(
        for byteCount: Int,
        _ transaction: inout WriteTransaction
    ) throws -> UInt64 {
        if !open.accepts(byteCount) {
            try writeOpenBlock(&transaction)
            open = BlockBuilder(firstPosition: open.endPosition)
        }
        return open.endPosition
    }

    private mutating func writeOpenBlock(_ transaction: inout WriteTransaction) throws {
        guard let bytes = open.finish() else { return }
        try transaction.put(
            tables.blocks,
            LogKey.number(open.firstPosition),
            bytes,
            append: open.firstPosition != replacedBlock
        )
        try tree.add(bytes)
    }
}
