internal import LMDB
internal import Platform
package import Proofs
package import SystemPackage

extension EventLog {
    /// Creates a log that begins with entries of another one, and opens it.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - entries: The first entries; at least one.
    /// - Returns: The log, open.
    /// - Throws: `EventLogError.damaged` if no log begins like that, or `LMDBError`.
    package static func create(
        at path: FilePath,
        importing entries: [ImportedEntry]
    ) throws -> EventLog {
        var randomness = BufferedRandom()
        try Environment.create(at: path, options: options) { transaction in
            let tables = LogTables(try LogTables.names.map { try transaction.createTable($0) })
            guard let tables else { throw EventLogError.notALog("tables are missing") }
            var appender = LogAppender(founding: tables, at: 0, randomness: randomness)
            _ = try take(entries, into: &appender, &randomness, &transaction)
        }
        return try EventLog(at: path)
    }

    /// Appends entries of another log that this one is the beginning of, in one transaction.
    ///
    /// - Parameters:
    ///   - entries: The entries, in order of position.
    ///   - size: How many entries this log has.
    /// - Returns: The log's head afterwards.
    /// - Throws: `EventLogError.sizeMoved`, `.damaged` if an entry cannot be there, or `LMDBError`.
    package func append(
        importing entries: [ImportedEntry],
        at size: UInt64
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
            return try Self.take(entries, into: &appender, &randomness, &transaction)
        }
    }

    /// How many entries were withheld from this copy of a log; 0 if it is no such copy.
    ///
    /// - Throws: `LMDBError`.
    package func withheldCount() throws -> UInt64 {
        try read { try IncompleteCopy.withheldCount($0, tables) }
    }

    private static func take(
        _ entries: [ImportedEntry],
        into appender: inout LogAppender<BufferedRandom>,
        _ randomness: inout BufferedRandom,
        _ transaction: inout WriteTransaction
    ) throws -> TreeHead {
        var importer = LogImporter(appender.tables)
        for entry in entries { try importer.append(entry, to: &appender, &transaction) }
        try importer.finish(randomness: &randomness, &transaction)
        return try appender.finish(&transaction)
    }
}
