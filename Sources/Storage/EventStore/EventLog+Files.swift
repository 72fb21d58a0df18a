import LMDB
import Proofs
package import SystemPackage

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
