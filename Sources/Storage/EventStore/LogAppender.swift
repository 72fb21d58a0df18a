import LMDB
import Platform
package import Proofs

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

extension EventLog {
    /// Why a transaction is given up without being an error: nothing of the batch may stay.
    private struct Refusal: Error {
        var outcomes: [AppendOutcome]
        var head: TreeHead
    }

    /// Appends a batch in one transaction.
    ///
    /// When this returns, what was appended is durable; when it throws, see the other `append`.
    ///
    /// - Parameters:
    ///   - batch: The events, in order of arrival.
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - mayUseThread: Whether many events are hashed on a thread of their own, as below.
    ///   - conditions: The conditions under which events are appended.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    ///   - makeNotes: Begins the ledger's notes about the events; `nil` if it makes none. It is
    ///     called again if the transaction runs again.
    /// - Returns: What became of the events.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, or `LMDBError`.
    // The generator with which the program appends gets machine code of its own: this is the hot
    // path.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        _ batch: borrowing EntryBatch,
        recordedAt now: Int64,
        mayUseThread: Bool = false,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness,
        noting makeNotes: (() -> EntryNotes)? = nil
    ) throws -> AppendResult {
        try append(
            recordedAt: now,
            eventCount: batch.count,
            mayUseThread: mayUseThread,
            conditions: conditions,
            registration: registration,
            randomness: &randomness,
            noting: makeNotes
        ) { append in try append(batch) }
    }

    /// Appends events that come part by part, in one transaction.
    ///
    /// When this returns, what was appended is durable. When it throws, nothing was appended,
    /// unless the error is an LMDB error of the commit itself: then the outcome is unknown, and
    /// appending the same events again is safe, because the log recognises duplicates.
    ///
    /// - Parameters:
    ///   - now: Milliseconds since 1970, less than 2^47 either way; recorded_at is that or the last
    ///     entry's, if it is later.
    ///   - eventCount: How many events come, if all are acceptable.
    ///   - mayUseThread: Whether many events are hashed on a thread of their own, which is worth it
    ///     unless the caller keeps another thread busy meanwhile.
    ///   - conditions: The conditions under which events are appended.
    ///   - registration: Returns the event that names a new source.
    ///   - randomness: Where nonces come from.
    ///   - makeNotes: Begins what the ledger notes about the events, as above.
    ///   - body: Hands all parts over to its argument, in order of arrival. Each has the sources of
    ///     the one before it, and maybe more. It MUST be repeatable: if the map is full, it runs
    ///     again from the start.
    /// - Returns: What became of the events.
    /// - Throws: `EventLogError.sizeMoved`, `.tooManySources`, `.damaged`, `LMDBError`, or what
    ///   `body` throws.
    @_specialize(where Randomness == BufferedRandom)
    package func append<Randomness: RandomNumberGenerator>(
        recordedAt now: Int64,
        eventCount: Int,
        mayUseThread: Bool = false,
        conditions: AppendConditions = AppendConditions(),
        registration: @escaping SourceRegistration,
        randomness: inout Randomness,
        noting makeNotes: (() -> EntryNotes)? = nil,
        _ body: ((borrowing EntryBatch) throws -> Void) throws -> Void
    ) throws -> AppendResult {
        do {
            return try environment.write { transaction in
                var appender = try LogAppender(
                    continuing: tables,
                    at: now,
                    eventsForThread: mayUseThread ? eventCount : 0,
                    mostSources: conditions.mostSources,
                    randomness: randomness,
                    &transaction
                )
                let size = appender.size
                if let expected = conditions.expectedSize, expected != size {
                    throw EventLogError.sizeMoved(expected: expected, actual: size)
                }
                var outcomes: [AppendOutcome] = []
                outcomes.reserveCapacity(eventCount)
                let notes = makeNotes?()
                try body { batch in
                    try appender.append(
                        batch,
                        registration,
                        notes,
                        outcomes: &outcomes,
                        &transaction
                    )
                }
                let isWanted = !conditions.isAllOrNothing || outcomes.allSatisfy(\.isAccepted)
                guard isWanted, appender.size > size else {
                    throw Refusal(outcomes: outcomes, head: appender.headBefore)
                }
                if let note = notes?.atEnd(appender.size) {
                    try appender.appendOwn(note, &transaction)
                }
                let head = try appender.finish(&transaction)
                randomness = appender.randomness
                return AppendResult(outcomes: outcomes, head: head)
            }
        } catch let refusal as Refusal {
            // Duplicates are acknowledged without a commit.
            try requireAtPath()
            return AppendResult(outcomes: refusal.outcomes, head: refusal.head)
        }
    }
}

/// The ledger's notes about the events of one transaction, stored as its own entries in the same
/// transaction.
package struct EntryNotes {
    /// Gets each event that was stored, by its index among those of the transaction and its
    /// position, and returns what is to be stored right after it.
    let afterEvent: (_ index: Int, _ position: UInt64) -> EntryContent?

    /// Gets the size of the log, and returns what is to be stored as the last of all.
    let atEnd: (_ size: UInt64) -> EntryContent?

    /// Creates notes.
    package init(
        afterEvent: @escaping (_ index: Int, _ position: UInt64) -> EntryContent?,
        atEnd: @escaping (_ size: UInt64) -> EntryContent?
    ) {
        self.afterEvent = afterEvent
        self.atEnd = atEnd
    }
}

/// The conditions under which a batch is appended.
package struct AppendConditions: Hashable, Sendable {
    /// The number of entries the log must hold before, if the caller cares (optimistic
    /// concurrency).
    package var expectedSize: UInt64?

    /// Whether one event that cannot be stored keeps all others out.
    package var isAllOrNothing: Bool

    /// How many sources the log may have afterwards.
    package var mostSources: Int

    /// How many sources a log can have.
    package static let mostSources = Int(LogLimits.sourceNumbers.upperBound)

    /// Creates conditions; without arguments the only one is the number of sources a log can have.
    package init(
        expectedSize: UInt64? = nil,
        isAllOrNothing: Bool = false,
        mostSources: Int = AppendConditions.mostSources
    ) {
        self.expectedSize = expectedSize
        self.isAllOrNothing = isAllOrNothing
        self.mostSources = mostSources
    }
}

/// The outcome for one event of a batch.
///
/// A position in an outcome may be that of an earlier event of the same batch. If the batch was not
/// committed, that event is not in the log: ask `AppendResult.isStored(at:)`.
package enum AppendOutcome: Hashable, Sendable {
    /// The event got this position.
    case appended(position: UInt64)

    /// The same event was there before, at this position.
    case duplicate(of: UInt64)

    /// Another event with this sender's id was there before, at this position.
    case conflict(with: UInt64)

    /// The event needs more bytes than an entry may have.
    case tooLarge

    /// The source is of another group than the event says.
    case otherGroup

    /// Whether nothing keeps the event out of the log.
    package var isAccepted: Bool {
        switch self {
        case .appended, .duplicate: true
        case .conflict, .tooLarge, .otherGroup: false
        }
    }
}

/// The outcome for a batch.
package struct AppendResult: Sendable {
    /// One outcome for each event, in the batch's order.
    package var outcomes: [AppendOutcome]

    /// The log's head after the append.
    package var head: TreeHead

    /// Returns whether the log holds the position that an outcome names: not if it was given to an
    /// event of this batch and the batch was not committed.
    package func isStored(at position: UInt64) -> Bool {
        position < head.size
    }
}
