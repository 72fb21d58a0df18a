internal import LMDB

/// Re-reads a log and compares everything derived from its entries with what is stored: positions,
/// recorded_at, block headers, the tree, the sources and the indexes.
struct LogAudit {
    /// The kind of the ledger's own event that gives a source its number (Formats, *Kinds*).
    private static let registrationKind: UInt8 = 0x02

    private let log: EventLog
    private let registration: EventLog.SourceRegistration
    private var registeredCount: UInt32 = 0
    private var state = LogState()
    private var sources: [UInt32: SourceState] = [:]
    private var rowCounts: [Table: Int] = [:]

    /// What is wrong, in order of position where there is one.
    private(set) var findings: [EventLogError] = []

    /// Prepares an audit; `registration` returns the event that names a source, as it must be in
    /// the log.
    init(_ log: EventLog, registration: @escaping EventLog.SourceRegistration) {
        self.log = log
        self.registration = registration
    }

    /// Reads the whole log in one snapshot and fills `findings`.
    ///
    /// - Throws: `LMDBError`; damage to the log itself becomes a finding.
    mutating func run() throws {
        do {
            try log.environment.read { transaction in
                var cursor = try transaction.cursor(log.tables.blocks)
                var isFound = try cursor.first()
                while isFound {
                    try audit(cursor.block, transaction)
                    isFound = try cursor.next()
                }
                try auditState(transaction)
                try auditSources(transaction)
                try auditRowCounts(transaction)
            }
        } catch let error as EventLogError {
            findings.append(error)
        }
    }

    private mutating func audit(
        _ block: BlockView,
        _ transaction: borrowing ReadTransaction
    ) throws {
        guard block.firstPosition == state.frontier.size else {
            throw EventLogError.damaged(
                position: state.frontier.size,
                "the next block starts at \(block.firstPosition)"
            )
        }
        var times: ClosedRange<Int64>?
        var entries = block.entries
        while let entry = try entries.next() {
            let occurredAt = entry.occurredAt
            times =
                times.map { min($0.lowerBound, occurredAt)...max($0.upperBound, occurredAt) }
                ?? occurredAt...occurredAt
            try audit(entry, at: entries.position - 1, transaction)
        }
        guard let times else { return }
        let expected = BlockHeader(
            count: block.count,
            length: block.header.length,
            times: times,
            firstPosition: block.firstPosition
        )
        if expected.baseTime != block.header.baseTime || expected.span != block.header.span {
            report(block.firstPosition, "the block's base time and span are not its entries'")
        }
    }

    private mutating func audit(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws {
        if entry.recordedAt < state.lastRecordedAt {
            report(position, "recorded_at goes back")
        }
        state.lastRecordedAt = entry.recordedAt
        if let root = state.frontier.append(entry.leafHash) {
            let subtree = position / MerkleFrontier.subtreeWidth
            rowCounts[log.tables.tree, default: 0] += 1
            let row = try transaction.get(log.tables.tree, LogKey.number(subtree))
            var isRight = false
            if let row { isRight = Digest(row) == root }
            if !isRight {
                report(position, "the stored root of subtree \(subtree) is wrong")
            }
        }
        if entry.source != 0 {
            try auditIndexes(entry, at: position, transaction)
        } else if entry.kind == Self.registrationKind {
            try auditRegistration(entry, at: position, transaction)
        }
    }

    /// Compares what the log hashed about a source with what the tables say: a swapped name would
    /// change the identity of every event.
    private mutating func auditRegistration(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws {
        let number = registeredCount + 1
        guard LogLimits.sourceNumbers.contains(number) else {
            report(position, "it registers more sources than there can be")
            return
        }
        registeredCount = number
        guard let name = try storedState(of: number, transaction)?.name else {
            report(position, "it registers source \(number), of which there is no sound state")
            return
        }
        let expected = registration(number, name)
        guard entry.kind == expected.kind, entry.form == expected.form,
            entry.payload.hasSameBytes(as: expected.payload.span)
        else {
            report(position, "it does not register source \(number) under its stored name")
            return
        }
    }

    private func storedState(
        of source: UInt32,
        _ transaction: borrowing ReadTransaction
    ) throws -> SourceState? {
        guard let value = try transaction.get(log.tables.sources, LogKey.source(source)) else {
            return nil
        }
        return SourceState(value)
    }

    private mutating func auditIndexes(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws {
        if sources[entry.source] == nil {
            guard entry.source <= registeredCount,
                let stored = try storedState(of: entry.source, transaction)
            else {
                report(position, "source \(entry.source) is unknown")
                return
            }
            sources[entry.source] = SourceState(name: stored.name)
        }
        guard var source = sources[entry.source] else { return }
        defer { sources[entry.source] = source }
        if entry.hasID {
            rowCounts[log.tables.ids, default: 0] += 1
            let key = LogKey.id(entry.source, entry.id)
            if try number(in: log.tables.ids, key, transaction) != position {
                report(position, "its id is not in the index, or at another position")
            }
        }
        guard source.isInOrder(entry.occurredAt) else {
            source.noteLate()
            rowCounts[log.tables.late, default: 0] += 1
            if try !isIndexedAsLate(entry, at: position, transaction) {
                report(position, "it is late and not in the index of late events")
            }
            return
        }
        guard source.noteInOrder(entry.occurredAt, position: position) else { return }
        rowCounts[log.tables.times, default: 0] += 1
        let key = LogKey.moment(entry.source, entry.occurredAt, position)
        if try transaction.get(log.tables.times, key)?.isEmpty != true {
            report(position, "its time is not in the index")
        }
    }

    private func isIndexedAsLate(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws -> Bool {
        var digest = entry.contentDigest
        while let value = try transaction.get(
            log.tables.late,
            LogKey.moment(entry.source, entry.occurredAt, digest)
        ) {
            if LogValue.number(value) == position { return true }
            digest &+= 1
        }
        return false
    }

    private func number(
        in table: Table,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws -> UInt64? {
        guard let value = try transaction.get(table, key) else { return nil }
        return LogValue.number(value)
    }

    private mutating func auditState(_ transaction: borrowing ReadTransaction) throws {
        guard let value = try transaction.get(log.tables.state, LogState.key) else {
            throw EventLogError.notALog("it has no state")
        }
        let stored = try LogState(value)
        if stored != state {
            report(
                min(stored.frontier.size, state.frontier.size),
                "the log says \(stored.frontier.size) entries with root \(stored.frontier.root), "
                    + "its blocks give \(state.frontier.size) with \(state.frontier.root)"
            )
        }
    }

    private mutating func auditSources(_ transaction: borrowing ReadTransaction) throws {
        for (source, expected) in sources.sorted(by: { $0.key < $1.key }) {
            if try storedState(of: source, transaction) != expected {
                report(state.frontier.size, "the state of source \(source) is wrong")
            }
            let name = Array(expected.name.utf8)
            if try number(in: log.tables.names, name, transaction) != UInt64(source) {
                report(state.frontier.size, "the name of source \(source) leads elsewhere")
            }
        }
        rowCounts[log.tables.sources] = sources.count
        rowCounts[log.tables.names] = sources.count
    }

    private mutating func auditRowCounts(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        let counted = [
            ("tree", tables.tree), ("sources", tables.sources), ("names", tables.names),
            ("times", tables.times), ("ids", tables.ids), ("late", tables.late),
        ]
        for (name, table) in counted {
            let expected = rowCounts[table] ?? 0
            let count = try transaction.entryCount(table)
            if count != expected {
                report(state.frontier.size, "table \(name) has \(count) rows, not \(expected)")
            }
        }
    }

    private mutating func report(_ position: UInt64, _ what: String) {
        findings.append(.damaged(position: position, what))
    }
}
