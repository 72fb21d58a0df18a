import EventStore
public import Projections
import Proofs
import Synchronization
import TripEvents

/// Reads what people said of settings, without bringing the views up to date: what stands in these
/// comes from them, and the entries after that are looked at once.
final class SettingsReader: Sendable {
    private struct Known {
        /// How many entries were looked at.
        var size: UInt64 = 0
        var decisions: [Decision] = []
    }

    private let known = Mutex(Known())

    /// Returns the decisions about settings that a log holds, in no order.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - views: The views of that log, as far as there are some.
    /// - Returns: The decisions.
    /// - Throws: `EventLogError` or `LMDBError`.
    func decisions(in log: EventLog, _ views: OpenViews) throws -> [Decision] {
        let size = try log.head().size
        return try known.withLock { known in
            // A log that has lost entries is another one.
            if known.size == 0 || size < known.size { known = Self.known(to: views, of: log) }
            if known.size < size {
                known.decisions += try Self.decisions(in: known.size..<size, of: log)
                known.size = size
            }
            return known.decisions
        }
    }

    /// Returns what the views know.
    private static func known(to views: OpenViews, of log: EventLog) -> Known {
        // Views that cannot be read are no reason to fail: the log has everything.
        guard let transactions = try? SnapshotTransactions(of: log, views.current()) else {
            return Known()
        }
        defer { transactions.end() }
        return Known(size: transactions.cursor.size, decisions: transactions.settings)
    }

    private static func decisions(
        in positions: Range<UInt64>,
        of log: EventLog
    ) throws -> [Decision] {
        var decisions: [Decision] = []
        var names = SourceNames(log)
        try log.eachEntry(in: positions) { entry, position in
            guard entry.kind == EventKind.settingsChanged.rawValue, !entry.isTombstone else {
                return
            }
            let source = try names.source(of: entry.source, at: position)
            let stored = try StoredEvent(entry, at: position, source: source)
            let decision = Decision(
                stored.event,
                identity: stored.identity,
                recordedAt: stored.recordedAt
            )
            if let decision { decisions.append(decision) }
        }
        return decisions
    }
}

extension Ledger {
    /// Returns what people set for the whole ledger, up to its last entry.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func settings() throws(LedgerError) -> SettingsBook {
        let decisions = try LedgerError.translating(at: path) {
            try settingsReader.decisions(in: log, views)
        }
        return SettingsBook(founding: founding, decisions)
    }
}
