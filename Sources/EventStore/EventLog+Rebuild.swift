internal import LMDB
package import Proofs
package import SystemPackage

extension EventLog {
    /// Blocks that one transaction takes.
    private static let blocksPerTransaction = 2_000

    /// The outcome of rebuilding a log.
    package struct Rebuilt: Sendable {
        /// The head of the new log.
        package var head: TreeHead

        /// Why not all blocks could be used, or `nil` if all were.
        package var obstacle: EventLogError?
    }

    /// Creates a log of the first blocks that a survey found and that follow one another from
    /// position 0 on.
    ///
    /// - Parameters:
    ///   - path: Where; nothing may be there yet.
    ///   - blocks: The blocks, in order of position.
    ///   - survey: Where they were found.
    ///   - registeredName: Returns the name that an event gives a number to.
    ///   - onProgress: Told how many entries are in the new log.
    /// - Returns: The new log's head, and what stood in the way.
    /// - Throws: `LMDBError`, `Errno`.
    package static func rebuild(
        at path: FilePath,
        from blocks: [LogSurvey.Block],
        of survey: LogSurvey,
        registeredName: @escaping (EntryView) -> String?,
        onProgress: (UInt64) -> Void
    ) throws -> Rebuilt {
        try Environment.create(at: path, options: options) { transaction in
            for name in LogTables.names { _ = try transaction.createTable(name) }
        }
        let environment = try Environment(at: path, options: options)
        defer { environment.close() }
        guard let tables = LogTables(try environment.openTables(LogTables.names)) else {
            throw EventLogError.notALog("tables are missing")
        }
        var rebuilder = LogRebuilder(tables, registeredName: registeredName)
        var obstacle: EventLogError?
        var rest = blocks[...]
        while !rest.isEmpty, obstacle == nil {
            let batch = rest.prefix(Self.blocksPerTransaction)
            rest = rest.dropFirst(batch.count)
            let start = rebuilder
            (rebuilder, obstacle) = try environment.write { transaction in
                // From the start again, should the map have been full.
                var rebuilder = start
                var obstacle: EventLogError?
                for block in batch {
                    do {
                        try survey.withBlock(block) { try rebuilder.add($0, &transaction) }
                    } catch let error as EventLogError {
                        obstacle = error
                        break
                    }
                }
                try rebuilder.finish(&transaction)
                return (rebuilder, obstacle)
            }
            onProgress(rebuilder.head.size)
        }
        return Rebuilt(head: rebuilder.head, obstacle: obstacle)
    }
}
