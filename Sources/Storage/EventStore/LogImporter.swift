import LMDB
import Platform
package import Proofs
package import SystemPackage

extension EventLog {
    /// Creates a log that begins with entries of another one, and opens it.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - entries: The first entries; at least one.
    ///   - withheldNote: The note that says who withheld entries; empty if there is none.
    ///   - isTemporary: Whether it is of no use after a crash: then nothing of it is flushed.
    /// - Returns: The log, open.
    /// - Throws: `EventLogError.damaged` if no log begins like that, or `LMDBError`.
    package static func create(
        at path: FilePath,
        importing entries: [ImportedEntry],
        withheldNote: [UInt8] = [],
        isTemporary: Bool = false
    ) throws -> EventLog {
        var randomness = BufferedRandom()
        var options = options
        options.isTemporary = isTemporary
        try Environment.create(at: path, options: options) { transaction in
            let tables = LogTables(try LogTables.names.map { try transaction.createTable($0) })
            guard let tables else { throw EventLogError.notALog("tables are missing") }
            var appender = LogAppender(founding: tables, at: 0, randomness: randomness)
            _ = try take(entries, withheldNote, into: &appender, &randomness, &transaction)
        }
        return try EventLog(at: path, isTemporary: isTemporary)
    }

    /// Appends entries of another log that this one is the beginning of, in one transaction.
    ///
    /// - Parameters:
    ///   - entries: The entries, in order of position.
    ///   - size: How many entries this log has.
    ///   - withheldNote: The note that says who withheld entries; empty if there is none.
    /// - Returns: The log's head afterwards.
    /// - Throws: `EventLogError.sizeMoved`, `.damaged` if an entry cannot be there, or `LMDBError`.
    package func append(
        importing entries: [ImportedEntry],
        at size: UInt64,
        withheldNote: [UInt8] = []
    ) throws -> TreeHead {
        var randomness = BufferedRandom()
        return try environment.write { transaction in
            var appender = try LogAppender(
                importingInto: tables,
                randomness: randomness,
                &transaction
            )
            guard appender.size == size else {
                throw EventLogError.sizeMoved(expected: size, actual: appender.size)
            }
            return try Self.take(
                entries,
                withheldNote,
                into: &appender,
                &randomness,
                &transaction
            )
        }
    }

    private static func take(
        _ entries: [ImportedEntry],
        _ withheldNote: [UInt8],
        into appender: inout LogAppender<BufferedRandom>,
        _ randomness: inout BufferedRandom,
        _ transaction: inout WriteTransaction
    ) throws -> TreeHead {
        var importer = LogImporter(appender.tables, withheldNote: withheldNote)
        for entry in entries { try importer.append(entry, to: &appender, &transaction) }
        try importer.finish(randomness: &randomness, &transaction)
        return try appender.finish(&transaction)
    }
}

extension ReadableLog {
    /// How many entries were withheld from this copy of a log; 0 if it is no such copy.
    ///
    /// - Throws: `LMDBError`.
    package func withheldCount() throws -> UInt64 {
        try withheldEntries()?.count ?? 0
    }

    /// The entries that were withheld from this copy of a log; `nil` if it is not such a copy.
    ///
    /// - Throws: `EventLogError.damaged`, or `LMDBError`.
    package func withheldEntries() throws -> WithheldEntries? {
        let all = try read { try IncompleteCopy.entries($0, tables) }
        guard let prefix, let all else { return all }
        var shown = WithheldEntries()
        try eachEntry(in: 0..<prefix.head.size) { entry, position in
            if entry.isWithheld { shown.append(position) }
        }
        shown.note = all.note
        return shown.count > 0 ? shown : nil
    }
}

/// Puts entries into a log as they were in another one: bytes, positions and hashes.
struct LogImporter {
    private let tables: LogTables
    private var indexer: EntryIndexer
    private let withheldNote: [UInt8]
    private var withheld: [UInt64] = []
    private var lastErasure: UInt64?

    /// Prepares to import within one transaction.
    init(_ tables: LogTables, withheldNote: [UInt8]) {
        self.tables = tables
        self.withheldNote = withheldNote
        indexer = EntryIndexer(tables)
    }

    /// Appends an entry.
    ///
    /// - Throws: `EventLogError.damaged` if no log has such an entry there, or `LMDBError`.
    mutating func append<Randomness>(
        _ imported: ImportedEntry,
        to appender: inout LogAppender<Randomness>,
        _ transaction: inout WriteTransaction
    ) throws {
        let last = max(appender.lastRecordedAt, LogLimits.times.lowerBound)
        switch imported {
        case .withheld(let leaf):
            withheld.append(appender.size)
            let bytes = Tombstone(withheld: leaf, recordedAt: last).bytes
            try append(bytes, registering: nil, after: last, to: &appender, &transaction)
        case .entry(let bytes, let source):
            try append(bytes, registering: source, after: last, to: &appender, &transaction)
        }
    }

    private mutating func append<Randomness>(
        _ bytes: [UInt8],
        registering source: RegisteredSource?,
        after last: Int64,
        to appender: inout LogAppender<Randomness>,
        _ transaction: inout WriteTransaction
    ) throws {
        let position = appender.size
        guard let entry = EntryView(startOf: bytes.span), entry.bytes.count == bytes.count else {
            throw EventLogError.damaged(position: position, "these bytes are no entry")
        }
        guard entry.recordedAt >= last, LogLimits.times.contains(entry.occurredAt) else {
            throw EventLogError.damaged(position: position, "its times are impossible")
        }
        _ = try appender.place(entry, &transaction)
        if let source {
            try register(source, at: position, &transaction)
        } else if entry.source == 0 {
            if entry.kind == ErasureAudit.kind { lastErasure = position }
        } else if entry.isTombstone {
            _ = try indexer.state(of: entry.source, at: position, transaction)
        } else {
            try index(entry, at: position, &transaction)
        }
    }

    /// Writes what is still in memory; the appender MUST be finished and the transaction committed
    /// right after.
    mutating func finish(
        randomness: inout some RandomNumberGenerator,
        _ transaction: inout WriteTransaction
    ) throws {
        try indexer.write(&transaction)
        if let lastErasure {
            var erased =
                try ErasedEvents(transaction, tables) ?? ErasedEvents(randomness: &randomness)
            erased.lastPosition = lastErasure
            try transaction.put(tables.state, ErasedEvents.key, erased.value, append: false)
        }
        guard !withheld.isEmpty else { return }
        var entries = try IncompleteCopy.entries(transaction, tables) ?? WithheldEntries()
        for position in withheld { entries.append(position) }
        entries.note = withheldNote
        try transaction.put(tables.state, IncompleteCopy.key, entries.value, append: false)
    }

    /// Gives the next source its name, as when its first event was appended.
    private mutating func register(
        _ source: RegisteredSource,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let key = Array(source.name.utf8)
        let count = try transaction.entryCount(tables.names)
        guard LogLimits.sourceNameByteCounts.contains(key.count),
            source.group.map({ LogLimits.groupByteCounts.contains($0.utf8.count) }) ?? true,
            try transaction.get(tables.names, key) == nil,
            let number = UInt32(exactly: count + 1), LogLimits.sourceNumbers.contains(number)
        else {
            throw EventLogError.damaged(position: position, "it names no new source")
        }
        var value: [UInt8] = []
        value.append(littleEndian: UInt64(number))
        try transaction.put(tables.names, key, value, append: false)
        indexer.add(number, source)
    }

    private mutating func index(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        if entry.hasID {
            let key = LogKey.id(entry.source, entry.id)
            guard try transaction.get(tables.ids, key) == nil else {
                throw EventLogError.damaged(position: position, "its id has been there before")
            }
            var value: [UInt8] = []
            value.append(littleEndian: position)
            try transaction.put(tables.ids, key, value, append: false)
        }
        try indexer.note(entry, at: position, &transaction)
    }
}

/// An entry on its way from an export into a log.
package enum ImportedEntry: Sendable {
    /// The exact bytes, a tombstone's too; with the source if it is the event that gives one its
    /// number.
    case entry([UInt8], registering: RegisteredSource?)

    /// An entry of which the export holds only the leaf hash.
    case withheld(Digest)
}
