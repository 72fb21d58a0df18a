import EventStore
import TripEvents
import TripTracking

extension Ledger {
    /// Returns the latest fix of any source that is usable by the rules of the ledger, or `nil` if
    /// there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func latestFix() throws(LedgerError) -> StoredEvent? {
        try LedgerError.translating(at: path) {
            var latest: StoredFix?
            try log.scan(from: 0) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    guard entry.occurredAt >= latest?.fix.occurredAt.milliseconds ?? .min,
                        let stored = StoredFix(entry, at: entries.position - 1),
                        rules.canUse(stored.fix)
                    else { continue }
                    latest = stored
                }
                return true
            }
            guard let latest else { return nil }
            var names = SourceNames(log)
            return try log.withEntry(at: latest.position) { entry in
                let name = try names.name(of: entry.source, at: latest.position)
                return try StoredEvent(entry, at: latest.position, sourceName: name)
            }
        }
    }
}
