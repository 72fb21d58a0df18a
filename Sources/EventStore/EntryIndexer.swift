internal import LMDB

/// Gives entries that are in the log their rows in `times` and `late`, and counts them.
struct EntryIndexer {
    private let tables: LogTables
    private var states: [UInt32: SourceState] = [:]
    private var lateRows: LateRows

    /// Prepares to index; the states of sources are read when they are needed.
    init(_ tables: LogTables) {
        self.tables = tables
        lateRows = LateRows(tables)
    }

    /// Begins to count the events of a source from none.
    mutating func add(_ source: UInt32, named name: String) {
        states[source] = SourceState(name: name)
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

    /// Writes what is still in memory: rows, and the states of the sources that were counted.
    mutating func write(_ transaction: inout WriteTransaction) throws {
        try lateRows.write(&transaction)
        for (source, state) in states.sorted(by: { $0.key < $1.key }) {
            let key = LogKey.source(source)
            try transaction.put(tables.sources, key, state.value, append: false)
        }
    }
}
