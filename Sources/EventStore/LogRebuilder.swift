internal import LMDB
import Platform
import Proofs

/// Makes a log of blocks that were found: stores the blocks as they are and derives all other rows.
struct LogRebuilder {
    private let tables: LogTables
    private let registeredName: (EntryView) -> String?
    private var state = LogState()
    private var sources: [SourceState] = []
    private var changed: Set<Int> = []
    private var lastErasure: UInt64?
    private var withheld: UInt64 = 0

    /// Prepares to fill the empty tables of a log.
    init(_ tables: LogTables, registeredName: @escaping (EntryView) -> String?) {
        self.tables = tables
        self.registeredName = registeredName
    }

    /// The head so far.
    var head: TreeHead { TreeHead(size: state.frontier.size, root: state.frontier.root) }

    /// Adds the next block.
    ///
    /// - Throws: `EventLogError.damaged` if no log has it there, and then nothing of it is added;
    ///   `LMDBError`.
    mutating func add(_ block: BlockView, _ transaction: inout WriteTransaction) throws {
        precondition(block.firstPosition == state.frontier.size, "blocks follow one another")
        var check = block.entries
        var registered = sources.count
        var recordedAt = state.lastRecordedAt
        while let entry = try check.next() {
            let position = check.position - 1
            if isRegistration(entry) {
                guard registeredName(entry) != nil else {
                    throw EventLogError.damaged(position: position, "it names no source")
                }
                registered += 1
            }
            guard Int(entry.source) <= registered, entry.recordedAt >= recordedAt else {
                throw EventLogError.damaged(position: position, "it does not follow the others")
            }
            recordedAt = entry.recordedAt
        }
        try transaction.put(
            tables.blocks,
            LogKey.number(block.firstPosition),
            block.bytes,
            append: true
        )
        var entries = block.entries
        while let entry = try entries.next() {
            try add(entry, at: entries.position - 1, &transaction)
        }
    }

    private func isRegistration(_ entry: EntryView) -> Bool {
        entry.source == 0 && entry.kind == LogAudit.registrationKind
    }

    private mutating func add(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        state.lastRecordedAt = entry.recordedAt
        if let root = state.frontier.append(entry.leafHash) {
            let subtree = position / MerkleFrontier.subtreeWidth
            try transaction.put(tables.tree, LogKey.number(subtree), root.array, append: true)
        }
        if isRegistration(entry), let name = registeredName(entry) {
            // It has a row even if the log ends here, before the source's first event.
            changed.insert(sources.count)
            sources.append(SourceState(name: name))
            let value = Self.number(UInt64(sources.count))
            try transaction.put(tables.names, Array(name.utf8), value, append: false)
        } else if entry.isTombstone {
            if entry.form == Tombstone.withheldKind { withheld += 1 }
            if entry.source != 0 { changed.insert(Int(entry.source) - 1) }
        } else if entry.source != 0 {
            try index(entry, at: position, &transaction)
        } else if entry.kind == ErasureAudit.kind {
            lastErasure = position
        }
    }

    private mutating func index(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let slot = Int(entry.source) - 1
        changed.insert(slot)
        if entry.hasID {
            let key = LogKey.id(entry.source, entry.id)
            try transaction.put(tables.ids, key, Self.number(position), append: false)
        }
        guard sources[slot].isInOrder(entry.occurredAt) else {
            sources[slot].noteLate()
            var digest = entry.contentDigest
            while try transaction.get(
                tables.late,
                LogKey.moment(entry.source, entry.occurredAt, digest)
            ) != nil {
                digest &+= 1
            }
            let key = LogKey.moment(entry.source, entry.occurredAt, digest)
            return try transaction.put(tables.late, key, Self.number(position), append: false)
        }
        guard sources[slot].noteInOrder(entry.occurredAt, position: position) else { return }
        let key = LogKey.moment(entry.source, entry.occurredAt, position)
        try transaction.put(tables.times, key, [], append: false)
    }

    /// Writes what is still in memory; the transaction MUST be committed right after.
    mutating func finish(_ transaction: inout WriteTransaction) throws {
        for slot in changed {
            guard let number = UInt32(exactly: slot + 1) else { continue }
            let value = sources[slot].value
            try transaction.put(tables.sources, LogKey.source(number), value, append: false)
        }
        changed = []
        if let lastErasure {
            var randomness = BufferedRandom()
            var erased =
                try ErasedEvents(transaction, tables) ?? ErasedEvents(randomness: &randomness)
            erased.lastPosition = lastErasure
            try transaction.put(tables.state, ErasedEvents.key, erased.value, append: false)
        }
        if withheld > 0 {
            let value = Self.number(withheld)
            try transaction.put(tables.state, IncompleteCopy.key, value, append: false)
        }
        try transaction.put(tables.state, LogState.key, state.value, append: false)
    }

    private static func number(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: number)
        return bytes
    }
}
