internal import LMDB

/// Adds the rows of stored entries in `times` and `late`, and counts the entries.
struct EntryIndexer {
    private let tables: LogTables
    private var states: [UInt32: SourceState] = [:]
    private var lateRows: LateRows

    /// Prepares to index; it reads the states of sources when they are needed.
    init(_ tables: LogTables) {
        self.tables = tables
        lateRows = LateRows(tables)
    }

    /// Starts to count the events of a source from zero.
    mutating func add(_ source: UInt32, _ registered: RegisteredSource) {
        states[source] = SourceState(registered)
    }

    /// Returns what is known of a source so far.
    ///
    /// - Throws: `EventLogError.damaged` if there is no such source, or `LMDBError`.
    func state(
        of source: UInt32,
        at position: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> SourceState {
        if let state = states[source] { return state }
        guard let row = try transaction.get(tables.sources, LogKey.source(source)),
            let state = SourceState(row)
        else {
            throw EventLogError.damaged(position: position, "source \(source) has no state")
        }
        return state
    }

    /// Counts an entry that is no tombstone and not the ledger's own; positions MUST ascend.
    mutating func note(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        var state = try state(of: entry.source, at: position, transaction)
        defer { states[entry.source] = state }
        if state.isInOrder(entry.occurredAt) {
            guard state.noteInOrder(entry.occurredAt, position: position) else { return }
            let key = LogKey.moment(entry.source, entry.occurredAt, position)
            return try transaction.put(tables.times, key, [], append: false)
        }
        state.noteLate()
        try lateRows.add(
            entry.source,
            occurredAt: entry.occurredAt,
            contentDigest: entry.contentDigest,
            position: position,
            &transaction
        )
    }

    /// Writes the states of the sources that were counted.
    func write(_ transaction: inout WriteTransaction) throws {
        for (source, state) in states.sorted(by: { $0.key < $1.key }) {
            let key = LogKey.source(source)
            try transaction.put(tables.sources, key, state.value, append: false)
        }
    }
}

/// Rebuilds the rows of some sources in `times`, `late` and `sources` from the entries, without
/// those that are tombstones now: no row may tell when an erased event happened.
struct TimeIndexer {
    private let tables: LogTables
    private let sources: Set<UInt32>
    private var indexer: EntryIndexer

    /// Prepares to rebuild the rows of some sources.
    ///
    /// - Throws: `EventLogError.damaged` if one of them is unknown, or `LMDBError`.
    init(
        _ tables: LogTables,
        sources: Set<UInt32>,
        _ transaction: borrowing WriteTransaction
    ) throws {
        self.tables = tables
        self.sources = sources
        indexer = EntryIndexer(tables)
        for source in sources {
            let registered = try indexer.state(of: source, at: 0, transaction).registered
            indexer.add(source, registered)
        }
    }

    /// Deletes the rows and rebuilds them.
    mutating func run(_ transaction: inout WriteTransaction) throws {
        for source in sources.sorted() {
            try Self.deleteRows(of: source, tables.times, &transaction)
            try Self.deleteRows(of: source, tables.late, &transaction)
        }
        var next: UInt64 = 0
        var buffer = BlockBuffer()
        while let block = try Self.block(at: next, tables, transaction) {
            let view = try BlockView(block.span, at: next, decodedInto: &buffer)
            var entries = view.entries
            while true {
                let position = entries.position
                guard let entry = try entries.next() else { break }
                guard !entry.isTombstone, sources.contains(entry.source) else { continue }
                try indexer.note(entry, at: position, &transaction)
            }
            next = view.endPosition
        }
        try indexer.write(&transaction)
    }

    private static func deleteRows(
        of source: UInt32,
        _ table: Table,
        _ transaction: inout WriteTransaction
    ) throws {
        while let key = try firstKey(of: source, table, transaction) {
            _ = try transaction.delete(table, key)
        }
    }

    private static func firstKey(
        of source: UInt32,
        _ table: Table,
        _ transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        var cursor = try transaction.cursor(table)
        let start = LogKey.source(source)
        guard try cursor.seek(toKeyAtOrAfter: start),
            cursor.key.count >= start.count,
            cursor.key.extracting(first: start.count).hasSameBytes(as: start.span)
        else { return nil }
        var key: [UInt8] = []
        key.append(contentsOf: cursor.key)
        return key
    }

    /// Copies the block that starts at a position, because no span may be held while rows change.
    private static func block(
        at position: UInt64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        guard let value = try transaction.get(tables.blocks, LogKey.number(position)) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.append(contentsOf: value)
        return bytes
    }
}
