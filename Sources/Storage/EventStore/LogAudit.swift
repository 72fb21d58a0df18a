internal import LMDB
package import Proofs

/// Re-reads a log and compares everything derived from its entries with what is stored: positions,
/// recorded_at, block headers, the tree, the sources and the indexes.
///
/// It works in slices, each with a read transaction of its own, so that a long audit does not keep
/// writers from reusing pages; it also audits what is appended while it runs. After a damaged or
/// missing block it continues with the next one, and compares what can still be compared.
package struct LogAudit {
    /// The kind of the ledger's own event that gives a source its number (Formats, *Kinds*).
    static let registrationKind: UInt8 = 0x02

    private let log: ReadableLog
    private let registration: EventLog.SourceRegistration
    private let erasure: EventLog.ErasureReading
    private let report: (AuditFinding) -> Void
    private let watchedKinds: [UInt8]
    private let onWatched: (EntryView, UInt64) -> Void
    private let onSubtree: (UInt64, Digest) -> Void

    /// The state after the entries that were read.
    package private(set) var tally: AuditTally

    /// All heads that the log MUST have had, in order of size.
    private let knownHeads: [TreeHead]

    /// The heads that have not been met yet, in order of size.
    private var expectedHeads: ArraySlice<TreeHead>

    /// Known heads that could not be compared, because entries before their end
    /// are damaged or missing.
    package private(set) var uncheckedHeads: [TreeHead] = []

    /// The tables that were already reported as unreadable.
    private var unreadableTables: Set<Table> = []

    /// Prepares an audit.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - tally: Where an earlier audit stopped, or a new one.
    ///   - expectedHeads: Heads that the log MUST have had when it was as long as they say.
    ///   - registration: Returns the event that names a source, as it must be in the log.
    ///   - erasure: Reads the events that say what was erased.
    ///   - watchedKinds: The kinds of events of sources that the caller wants to see.
    ///   - onWatched: Told each of them with its position; again if the audit starts again.
    ///   - onSubtree: Told the root of every full subtree whose entries could all be read.
    ///   - report: Told everything that is wrong, in order of position where there is one.
    package init(
        _ log: ReadableLog,
        from tally: AuditTally = AuditTally(),
        expecting expectedHeads: [TreeHead] = [],
        registration: @escaping EventLog.SourceRegistration,
        erasure: @escaping EventLog.ErasureReading,
        watching watchedKinds: [UInt8] = [],
        onWatched: @escaping (_ entry: EntryView, _ position: UInt64) -> Void = { _, _ in },
        onSubtree: @escaping (_ subtree: UInt64, _ root: Digest) -> Void = { _, _ in },
        report: @escaping (AuditFinding) -> Void
    ) {
        self.log = log
        self.tally = tally
        knownHeads = expectedHeads.sorted { $0.size < $1.size }
        self.expectedHeads = knownHeads[...]
        self.registration = registration
        self.erasure = erasure
        self.report = report
        self.watchedKinds = watchedKinds
        self.onWatched = onWatched
        self.onSubtree = onSubtree
        compareHeads()
    }

    /// Audits the next blocks.
    ///
    /// - Parameter byteCount: About how many bytes of blocks to read.
    /// - Returns: Whether the audit is over.
    /// - Throws: `LMDBError` if the log cannot be read, `EventLogError.newerFormat`; damage becomes
    ///   a finding.
    package mutating func advance(byteCount: Int) throws -> Bool {
        do {
            return try log.read { transaction in
                try advance(byteCount: byteCount, transaction)
            }
        } catch let error as LMDBError where error.code.saysThatPagesAreDamaged {
            report(.entries, tally.position, "what follows cannot be read: \(error.description)")
            tally.isWhole = false
            return true
        }
    }

    private mutating func advance(
        byteCount: Int,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        beginAgainAfterErasure(transaction)
        var cursor = try transaction.cursor(log.tables.blocks)
        var readBytes = 0
        var buffer = BlockBuffer()
        let start = tally.position
        var isFound = try cursor.seek(toKeyAtOrAfter: LogKey.number(tally.position))
        while isFound {
            // Only now, when there is a next block, is the last one sure to be full: a later
            // snapshot could show an open one again, with more entries. A damaged block may bring
            // the audit no further: a caller that came back to it would find it again and again.
            if readBytes >= byteCount, tally.position > start { return false }
            let value = cursor.value
            readBytes += value.count
            if !cursor.hasSoundPages {
                let what = "the header of the page that holds the next block is damaged"
                report(.entries, tally.position, what)
            }
            try audit(value, key: cursor.key, &buffer, transaction)
            isFound = try cursor.next()
        }
        try auditEnd(transaction)
        return true
    }

    /// Starts again if entries were erased since the audit began, because it may have read them.
    private mutating func beginAgainAfterErasure(_ transaction: borrowing ReadTransaction) {
        let last = row(log.tables.state, ErasedEvents.key, transaction) {
            ErasedEvents.lastPosition(in: $0)
        }
        if tally.position > 0, tally.erasedBefore != last ?? nil {
            tally = AuditTally()
            expectedHeads = knownHeads[...]
            uncheckedHeads = []
            compareHeads()
        }
        tally.erasedBefore = last ?? nil
    }

    /// The position of the next entry.
    package var position: UInt64 { tally.position }

    /// The size and root of what was read, or `nil` if entries are missing.
    package var head: TreeHead? { tally.isWhole ? tally.head : nil }

    /// How many of the entries that were read were erased: only their hashes are there.
    package var erasedCount: UInt64 { tally.erasures.erasedCount }

    /// How many of them this copy of the log does not recognise when they are sent again, because
    /// they were erased before it was made; known at the end of the audit.
    package private(set) var unrecognisedCount: UInt64 = 0

    /// How many of the entries that were read were withheld from this copy of the log.
    package var withheldCount: UInt64 { tally.erasures.withheldCount }

    private func report(_ part: AuditFinding.Part, _ position: UInt64, _ what: String) {
        report(AuditFinding(part: part, position: position, what: what))
    }
}

// MARK: - Blocks

extension LogAudit {
    private mutating func audit(
        _ value: Span<UInt8>,
        key: Span<UInt8>,
        _ buffer: inout BlockBuffer,
        _ transaction: borrowing ReadTransaction
    ) throws {
        guard key.count == 8, case let first = key.bigEndian(at: 0),
            LogLimits.positions.contains(first)
        else {
            report(.entries, tally.position, "a block's key is not a position")
            tally.isWhole = false
            return
        }
        if first > tally.position {
            // A damaged block has been reported, and does not say where it ends.
            if !tally.isAfterDamage {
                report(.entries, tally.position, "the next block starts at \(first)")
            }
            skip(to: first, transaction)
        } else if first < tally.position {
            report(.entries, first, "the block starts before the one before it ends")
            tally.isWhole = false
            return
        }
        tally.isAfterDamage = false
        do throws(EventLogError) {
            let block = try BlockView(value, at: first, decodedInto: &buffer)
            try audit(block, transaction)
        } catch .damaged(let position, let what) {
            report(.entries, position, what)
            tally.isAfterDamage = true
            tally.isWhole = false
        }
    }

    private mutating func audit(
        _ block: BlockView,
        _ transaction: borrowing ReadTransaction
    ) throws(EventLogError) {
        var earliest = Int64.max
        var latest = Int64.min
        var entries = block.entries
        while let entry = try entries.next() {
            let occurredAt = entry.occurredAt
            earliest = min(earliest, occurredAt)
            latest = max(latest, occurredAt)
            audit(entry, transaction)
        }
        guard earliest <= latest else { return }
        let expected = BlockHeader(
            count: block.count,
            length: block.header.length,
            times: earliest...latest,
            firstPosition: block.firstPosition
        )
        if expected.baseTime != block.header.baseTime || expected.span != block.header.span {
            report(
                .entries,
                block.firstPosition,
                "the block's base time and span are not its entries'"
            )
        }
    }

    private mutating func audit(_ entry: EntryView, _ transaction: borrowing ReadTransaction) {
        let position = tally.position
        let recordedAt = entry.recordedAt
        if recordedAt < tally.lastRecordedAt {
            report(.entries, position, "recorded_at goes back")
        }
        tally.lastRecordedAt = recordedAt
        tally.tree.append(entry.leafHash)
        if tally.tree.isAtSubtreeEnd { closeSubtree(transaction) }
        if let head = expectedHeads.first, head.size == tally.position { compareHeads() }
        auditIndexes(entry, at: position, transaction)
    }

    private mutating func closeSubtree(_ transaction: borrowing ReadTransaction) {
        let subtree = tally.position / MerkleFrontier.subtreeWidth - 1
        let stored = storedRoot(of: subtree, transaction)
        guard let root = tally.tree.closeSubtree(stored: stored) else { return }
        onSubtree(subtree, root)
        if root != stored {
            report(.index, tally.position - 1, "the stored root of subtree \(subtree) is wrong")
        }
    }

    private mutating func storedRoot(
        of subtree: UInt64,
        _ transaction: borrowing ReadTransaction
    ) -> Digest? {
        row(log.tables.tree, LogKey.number(subtree), transaction) { Digest($0) } ?? nil
    }

    /// Continues at a later position, with the stored roots of the subtrees before it.
    private mutating func skip(
        to position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        tally.isWhole = false
        let width = MerkleFrontier.subtreeWidth
        while tally.position < position {
            let subtree = tally.position / width
            guard position >= (subtree + 1) * width else {
                tally.tree.skip(to: position)
                break
            }
            guard let stored = storedRoot(of: subtree, transaction) else {
                tally.tree.abandonRoot(at: position)
                break
            }
            tally.tree.skip(to: (subtree + 1) * width)
            _ = tally.tree.closeSubtree(stored: stored)
        }
        compareHeads()
    }
}

// MARK: - Heads

extension LogAudit {
    /// Compares the heads up to the present size with the tree.
    private mutating func compareHeads() {
        while let head = expectedHeads.first, head.size <= tally.position {
            expectedHeads.removeFirst()
            guard head.size == tally.position, let frontier = tally.tree.frontier else {
                uncheckedHeads.append(head)
                continue
            }
            if frontier.root != head.root {
                report(
                    .head,
                    head.size,
                    "the first \(head.size) entries have root \(frontier.root), and had "
                        + "\(head.root)"
                )
            }
        }
    }

    /// Reports the heads that are longer than the log.
    private func reportHeadsBeyondEnd() {
        for head in expectedHeads {
            report(
                .head,
                tally.position,
                "the log ends here, and had \(head.size) entries when its head was known"
            )
        }
    }
}

extension LogAudit {
    /// Compares what is stored about an entry beside it.
    private mutating func auditIndexes(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        if entry.isTombstone { tally.erasures.note(entry, at: position) }
        if entry.source == 0 {
            auditOwn(entry, at: position, transaction)
            return
        }
        if watchedKinds.contains(entry.kind) { onWatched(entry, position) }
        if entry.hasID {
            tally.idRows += 1
            let key = LogKey.id(entry.source, entry.id)
            if number(in: log.tables.ids, key, transaction) != position {
                report(.index, position, "its id is not in the index, or at another position")
            }
        }
        // The checks that follow depend on every earlier event of the source.
        guard tally.isWhole else { return }
        guard entry.source <= tally.registeredSources else {
            report(.index, position, "source \(entry.source) is unknown")
            tally.isWhole = false
            return
        }
        let slot = Int(entry.source) - 1
        guard slot < tally.sources.count, !entry.isTombstone else { return }
        let occurredAt = entry.occurredAt
        guard tally.sources[slot].isInOrder(occurredAt) else {
            tally.sources[slot].noteLate()
            tally.lateRows += 1
            if !isIndexedAsLate(entry, at: position, transaction) {
                report(.index, position, "it is late and not in the index of late events")
            }
            return
        }
        guard tally.sources[slot].noteInOrder(occurredAt, position: position) else { return }
        tally.timeRows += 1
        let key = LogKey.moment(entry.source, occurredAt, position)
        if row(log.tables.times, key, transaction, { $0.isEmpty }) != true {
            report(.index, position, "its time is not in the index")
        }
    }

    /// Compares one of the ledger's own events with what it is about.
    private mutating func auditOwn(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        guard tally.isWhole else { return }
        switch entry.kind {
        case Self.registrationKind: auditRegistration(entry, at: position, transaction)
        case ErasureAudit.kind: auditErasure(entry, at: position, transaction)
        default: return
        }
    }

    private mutating func auditErasure(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        do {
            let fault = try tally.erasures.explain(
                entry,
                at: position,
                record: erasure,
                log.tables,
                transaction
            )
            if let fault { report(.entries, position, fault) }
        } catch {
            report(.entries, position, "the entries that it says were erased cannot be read")
        }
    }

    /// Compares what the log hashed about a source with what the tables say: a swapped name would
    /// change the identity of every event.
    private mutating func auditRegistration(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        let number = tally.registeredSources + 1
        guard LogLimits.sourceNumbers.contains(number) else {
            report(.index, position, "it registers more sources than there can be")
            tally.isWhole = false
            return
        }
        tally.registeredSources = number
        guard let source = storedState(of: number, transaction)?.registered else {
            report(
                .index,
                position,
                "it registers source \(number), of which there is no sound state"
            )
            tally.isWhole = false
            return
        }
        tally.sources.append(SourceState(source))
        let expected = registration(number, source)
        guard entry.kind == expected.kind, entry.form == expected.form,
            entry.payload.hasSameBytes(as: expected.payload.span)
        else {
            report(
                .index,
                position,
                "it does not register source \(number) under its stored name"
            )
            return
        }
    }

    private mutating func storedState(
        of source: UInt32,
        _ transaction: borrowing ReadTransaction
    ) -> SourceState? {
        row(log.tables.sources, LogKey.source(source), transaction) { SourceState($0) } ?? nil
    }

    private mutating func isIndexedAsLate(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) -> Bool {
        var digest = entry.contentDigest
        while true {
            let key = LogKey.moment(entry.source, entry.occurredAt, digest)
            let found = row(log.tables.late, key, transaction) { LogValue.number($0) }
            guard let found else { return false }
            if found == position { return true }
            digest &+= 1
        }
    }

    private mutating func number(
        in table: Table,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) -> UInt64? {
        row(table, key, transaction) { LogValue.number($0) } ?? nil
    }

    /// Returns what `read` makes of a row, or `nil` if there is none; a table that LMDB cannot read
    /// is reported once.
    private mutating func row<Result>(
        _ table: Table,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction,
        _ read: (Span<UInt8>) -> Result
    ) -> Result? {
        do throws(LMDBError) {
            guard let value = try transaction.get(table, key) else { return nil }
            return read(value)
        } catch {
            if unreadableTables.insert(table).inserted {
                report(.index, tally.position, "an index cannot be read: \(error.description)")
            }
            return nil
        }
    }

    /// Compares what is stored about the log as a whole; the last block has been read.
    private mutating func auditEnd(_ transaction: borrowing ReadTransaction) throws {
        try auditState(transaction)
        if tally.isWhole {
            auditSources(transaction)
            try auditRowCounts(transaction)
            try auditErasures(transaction)
        }
        reportHeadsBeyondEnd()
    }

    private mutating func auditState(_ transaction: borrowing ReadTransaction) throws {
        let state = row(log.tables.state, LogState.key, transaction) { value in
            Result { () throws(EventLogError) in try LogState(value) }
        }
        let stored: LogState
        switch state {
        case nil: return report(.index, tally.position, "the log has no state")
        case .success(let state): stored = state
        case .failure(.notALog(let what)): return report(.index, tally.position, what)
        case .failure(let error): throw error
        }
        guard let frontier = tally.tree.frontier else {
            if stored.frontier.size != tally.position, !tally.isAfterDamage {
                report(
                    .entries,
                    min(stored.frontier.size, tally.position),
                    "the log says \(stored.frontier.size) entries, its blocks end at "
                        + "\(tally.position)"
                )
            }
            return
        }
        if stored.frontier != frontier {
            report(
                tally.isWhole ? .index : .entries,
                min(stored.frontier.size, frontier.size),
                "the log says \(stored.frontier.size) entries with root \(stored.frontier.root), "
                    + "its blocks give \(frontier.size) with \(frontier.root)"
            )
        } else if stored.lastRecordedAt != tally.lastRecordedAt {
            report(.index, frontier.size, "the log's last recorded_at is not its last entry's")
        }
    }

    private mutating func auditSources(_ transaction: borrowing ReadTransaction) {
        let end = tally.position
        for (index, expected) in tally.sources.enumerated() {
            guard let number = UInt32(exactly: index + 1) else { return }
            if storedState(of: number, transaction) != expected {
                report(.index, end, "the state of source \(number) is wrong")
            }
            let name = Array(expected.name.utf8)
            if self.number(in: log.tables.names, name, transaction) != UInt64(number) {
                report(.index, end, "the name of source \(number) leads elsewhere")
            }
        }
    }

    private mutating func auditRowCounts(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        let sources = UInt64(tally.registeredSources)
        let expected = [
            ("tree", tables.tree, tally.position / MerkleFrontier.subtreeWidth),
            ("sources", tables.sources, sources), ("names", tables.names, sources),
            ("ids", tables.ids, tally.idRows), ("times", tables.times, tally.timeRows),
            ("late", tables.late, tally.lateRows),
        ]
        for (name, table, expected) in expected {
            let count = try transaction.entryCount(table)
            if UInt64(count) != expected {
                report(
                    .index,
                    tally.position,
                    "table \(name) has \(count) rows, not \(expected)"
                )
            }
        }
    }

    private mutating func auditErasures(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        do {
            let erasures = tally.erasures
            let findings = try erasures.findings(
                size: tally.position,
                record: erasure,
                tables,
                transaction
            )
            for (position, what) in findings {
                report(.index, position, what)
            }
            let count = UInt64(try transaction.entryCount(tables.state))
            let expected = try erasures.stateRows(tables, transaction)
            if count != expected {
                report(
                    .index,
                    tally.position,
                    "table state has \(count) rows, not \(expected)"
                )
            }
            unrecognisedCount = try erasures.unrecognisedCount(tables, transaction)
        } catch EventLogError.damaged(let position, let what) {
            report(.index, position, what)
        }
    }
}
