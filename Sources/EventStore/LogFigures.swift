internal import LMDB

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
}
