import LMDB
package import Platform
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
    ///   - waitNotice: Told when an append waits for another process.
    /// - Throws: `LMDBError`, or `EventLogError.notALog` or `.newerFormat`.
    package init(
        at path: FilePath,
        isReadOnly: Bool = false,
        waitNotice: WaitNotice? = nil
    ) throws {
        var options = Self.options
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

    /// The log as it is whenever it is asked.
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
