import LMDB
package import Platform
import Proofs
package import SystemPackage

/// The append-only log of entries, open: positions, blocks, tree, identity.
///
/// It does not know what a trip is. One value represents one open LMDB environment; copies share
/// it. It appends; ``ReadableLog`` answers, about the newest entries or about a ``LogSnapshot``.
package struct EventLog: Sendable {
    /// Returns the content of the `source_registered` event that gives a name its number.
    ///
    /// The log appends it before a new source's first event, so that the number's meaning is hashed
    /// too.
    package typealias SourceRegistration = @Sendable (UInt32, RegisteredSource) -> EntryContent

    /// Reads one of the ledger's own events: what it says that was erased, or `nil`.
    package typealias ErasureReading = @Sendable (EntryView) -> ErasureRecord?

    /// The log's options for LMDB.
    static var options: Environment.Options {
        var options = Environment.Options(
            maximumTables: LogTables.names.count,
            initialMapBytes: 64 << 20,
            isReadOnly: false,
            maximumReaders: 126
        )
        // Acknowledged entries must be found at the path.
        options.staysAtPath = true
        return options
    }

    let environment: Environment
    let tables: LogTables

    /// Opens the log in the directory at `path`.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - isReadOnly: Whether nothing will be appended.
    ///   - isTemporary: Whether it is of no use after a crash: then nothing of it is flushed.
    ///   - waitNotice: Told when an append waits for another process.
    /// - Throws: `LMDBError`, or `EventLogError.notALog` or `.newerFormat`.
    package init(
        at path: FilePath,
        isReadOnly: Bool = false,
        isTemporary: Bool = false,
        waitNotice: WaitNotice? = nil
    ) throws {
        var options = Self.options
        options.isTemporary = isTemporary
        options.isReadOnly = isReadOnly
        options.waitNotice = waitNotice
        environment = try Self.environment(at: path, options)
        guard let tables = LogTables(try environment.openTables(LogTables.names)) else {
            throw EventLogError.notALog("tables are missing")
        }
        self.tables = tables
        _ = try newest.head()
    }

    /// Opens the environment, again if it is being swept just now.
    private static func environment(
        at path: FilePath,
        _ options: Environment.Options
    ) throws(LMDBError) -> Environment {
        for _ in 1...3 {
            do {
                return try Environment(at: path, options: options)
            } catch  where error.code == .replaced {
                continue
            }
        }
        return try Environment(at: path, options: options)
    }

    /// Creates a log whose first entry is `founding`, and opens it.
    ///
    /// The directory appears at `path` complete or not at all.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - founding: The content of the `ledger_created` event.
    ///   - recordedAt: Milliseconds since 1970, less than 2^47 either way.
    ///   - randomness: Where the entry's nonce comes from.
    /// - Returns: The log, open.
    /// - Throws: `LMDBError`; `.system(.fileExists)` if something is at `path`.
    package static func create(
        at path: FilePath,
        founding: EntryContent,
        recordedAt: Int64,
        randomness: some RandomNumberGenerator
    ) throws -> EventLog {
        try Environment.create(at: path, options: options) { transaction in
            let tables = LogTables(try LogTables.names.map { try transaction.createTable($0) })
            guard let tables else { throw EventLogError.notALog("tables are missing") }
            var appender = LogAppender(founding: tables, at: recordedAt, randomness: randomness)
            try appender.appendOwn(founding, &transaction)
            _ = try appender.finish(&transaction)
        }
        return try EventLog(at: path)
    }

    /// The log, read in its newest state at each call.
    package var newest: ReadableLog { ReadableLog(.newest(environment), tables) }

    /// Begins a snapshot: all that is read from it is the log as it is now.
    ///
    /// - Parameter size: How many of the first entries are shown, as if no others had ever been
    ///   appended; the log MUST have as many. `nil` for all.
    /// - Returns: The snapshot.
    /// - Throws: `EventLogError.damaged`, `LMDBError`.
    package func snapshot(upTo size: UInt64? = nil) throws -> LogSnapshot {
        try LogSnapshot(of: environment, tables, upTo: size)
    }

    /// Checks that the log that is open is the one at its path.
    ///
    /// - Throws: `LMDBError.displaced` if it was deleted, moved or replaced.
    package func requireAtPath() throws {
        try environment.requireAtPath("lstat")
    }

    /// Closes the environment; the log MUST NOT be used after that.
    package func close() {
        environment.close()
    }
}

/// Why the log could not do what it was asked to.
public enum EventLogError: Error, Hashable, Sendable {
    /// Something stored is not what it was when it was written.
    ///
    /// `position` is the first one that cannot be trusted.
    case damaged(position: UInt64, String)

    /// The log holds another number of entries than the caller expected; nothing was appended.
    case sizeMoved(expected: UInt64, actual: UInt64)

    /// The log was written by a newer program.
    case newerFormat(String)

    /// The directory holds an LMDB environment that is not a log.
    case notALog(String)

    /// An entry that was to be erased cannot be: it is the ledger's own, not there, or gone
    /// already.
    case notErasable(position: UInt64)

    /// The log is a copy from which entries were withheld: nothing can be appended to it.
    case isIncompleteCopy

    /// The log has as many sources as this append leaves it; a log has room for 1,000,000.
    case tooManySources(most: Int)
}

extension EventLogError: CustomStringConvertible {
    /// The error as a sentence without a full stop.
    public var description: String {
        switch self {
        case .damaged(let position, let what):
            "the log is damaged from position \(position) on: \(what)"
        case .sizeMoved(let expected, let actual):
            "the log holds \(actual) entries, not the expected \(expected)"
        case .newerFormat(let what):
            "the log was written by a newer version of ledger (\(what))"
        case .notALog(let what):
            "this is no event log: \(what)"
        case .notErasable(let position):
            "the entry at position \(position) is the ledger's own, or its content is gone already"
        case .isIncompleteCopy:
            "this is a copy from which entries were withheld, so that nothing can be appended"
        case .tooManySources(let most):
            "the log already has \(most) sources, and takes no events from new ones"
        }
    }
}

/// Figures about the files of a log.
package struct LogFigures: Hashable, Sendable {
    /// How large the map is, in bytes: room for the file to grow into without a pause.
    package let mapBytes: UInt64

    /// How much of the file is in use, in bytes.
    package let usedBytes: UInt64

    /// How long the file is, in bytes.
    package let fileBytes: UInt64

    /// How many readers there are now, this one included.
    package let readers: UInt64

    /// How many readers of dead processes were cleared when the log was opened.
    package let clearedReaders: UInt64
}

extension EventLog {
    /// Figures about the log's files.
    ///
    /// - Throws: `LMDBError`.
    package func figures() throws -> LogFigures {
        let statistics = try environment.statistics
        return LogFigures(
            mapBytes: UInt64(statistics.mapBytes),
            usedBytes: UInt64((statistics.lastPage + 1) * statistics.pageBytes),
            fileBytes: UInt64(statistics.fileBytes),
            readers: UInt64(statistics.readersInUse),
            clearedReaders: UInt64(environment.clearedReaderCount)
        )
    }

    /// Writes a snapshot of the log's file, byte by byte, to a file that the caller makes durable;
    /// other processes can append during that time.
    ///
    /// - Throws: `LMDBError`.
    package func copy(to descriptor: FileDescriptor) throws {
        try environment.copy(to: descriptor)
    }

    /// Compares the two snapshots that the data file holds, and walks over the newer one's pages.
    ///
    /// LMDB shows the one with the greater transaction number, and has no checksum: one bit can
    /// show an older log in place of the present one. But every transaction appends, so the
    /// snapshot before the last one is exactly one transaction older, and shorter. Only the end of
    /// sweeping a log, after which nothing that was erased is in its file, appends nothing.
    ///
    /// - Returns: What is wrong, as sentences without a full stop.
    /// - Throws: `LMDBError`.
    package func snapshotFindings() throws -> [String] {
        let findings = try environment.withStoredSnapshots { pages in
            var findings: [String] = []
            let numbers = pages.map(\.transaction)
            let isInTurn = numbers.enumerated().allSatisfy { $1 % 2 == UInt64($0) }
            let distance = max(numbers[0], numbers[1]) - min(numbers[0], numbers[1])
            if !isInTurn || distance != 1 {
                findings.append(
                    "its two meta pages do not follow one another: they name transactions "
                        + "\(numbers[0]) and \(numbers[1])"
                )
            }
            let inOrder = pages.sorted { $0.transaction < $1.transaction }
            let sizes = try inOrder.map(Self.size)
            if let older = sizes[0], let newer = sizes[1], older >= newer,
                try older > newer || !Self.isSweep(from: inOrder[0], to: inOrder[1])
            {
                findings.append(
                    "its last transaction shows \(newer) entries, the one before it \(older): "
                        + "unless an append was broken off by an error of the disk, the newer "
                        + "one was lost; the next append takes the place of the older one"
                )
            }
            if let page = try inOrder.last?.damagedPage() {
                findings.append("page \(page) of its file is not what its tables need there")
            }
            let names = try inOrder.last?.tableNames()
            if let names, Set(names) != Set(LogTables.names) {
                let strange = Set(names).subtracting(LogTables.names).sorted()
                findings.append(
                    "its file holds tables that no log has: "
                        + strange.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
                )
            } else if names == nil, findings.isEmpty {
                findings.append("its file holds more tables than a log has")
            }
            return findings
        }
        return findings ?? []
    }

    /// Returns whether a transaction only recorded that the log's file was rewritten.
    private static func isSweep(
        from older: StoredSnapshot,
        to newer: StoredSnapshot
    ) throws -> Bool {
        guard let before = try older.value(inTable: "state", forKey: ErasedEvents.key),
            let after = try newer.value(inTable: "state", forKey: ErasedEvents.key)
        else { return false }
        return before != after
    }

    /// Returns how many entries the log has in a snapshot, or `nil` if that cannot be read.
    private static func size(in snapshot: StoredSnapshot) throws -> UInt64? {
        guard let value = try snapshot.value(inTable: "state", forKey: LogState.key) else {
            return nil
        }
        return try? LogState(value.span).frontier.size
    }
}
