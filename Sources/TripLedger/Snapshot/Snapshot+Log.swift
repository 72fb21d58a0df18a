import EventStore
import SystemPackage
import TripEvents
import TripTracking

extension Snapshot {
    /// Hands over the entries from a position on, as they were stored, until `body` returns
    /// `false`.
    ///
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    public func scanLog(from position: UInt64, _ body: (StoredEvent) throws -> Bool) throws {
        noteHandingOver()
        try log.handOver(from: position, path, body)
    }

    /// Returns the latest fix of any source that is usable by the rules of the ledger, or `nil` if
    /// there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func latestFix() throws(LedgerError) -> StoredEvent? {
        try asking {
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
            return try latest.flatMap { try log.storedEvent(at: $0.position) }
        }
    }
}

extension Ledger {
    /// Hands over the entries from a position on, as they were stored, until `body` returns
    /// `false`.
    ///
    /// It needs no views, and works where none can be made. What is appended meanwhile is handed
    /// over too; ``Snapshot/scanLog(from:_:)`` reads what a head commits to.
    ///
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    public func scanLog(from position: UInt64, _ body: (StoredEvent) throws -> Bool) throws {
        try log.handOver(from: position, path, body)
    }
}

extension EventLog {
    /// Returns the event at a position, or `nil` if the log is shorter.
    func storedEvent(at position: UInt64) throws -> StoredEvent? {
        var names = SourceNames(self)
        return try withEntry(at: position) { entry in
            let name = try names.name(of: entry.source, at: position)
            return try StoredEvent(entry, at: position, sourceName: name)
        }
    }

    /// Hands over the entries from a position on until `body` returns `false`.
    ///
    /// - Throws: `LedgerError` about the ledger at `path`, and what `body` throws.
    fileprivate func handOver(
        from position: UInt64,
        _ path: FilePath,
        _ body: (StoredEvent) throws -> Bool
    ) throws {
        var names = SourceNames(self)
        // What the caller's code throws is the caller's, and goes back to it as it is.
        var interruption: (any Error)?
        try LedgerError.translating(at: path) {
            try scan(from: position) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    let found = entries.position - 1
                    guard found >= position else { continue }
                    let name = try names.name(of: entry.source, at: found)
                    let event = try StoredEvent(entry, at: found, sourceName: name)
                    do {
                        guard try body(event) else { return false }
                    } catch {
                        interruption = error
                        return false
                    }
                }
                return true
            }
        }
        if let interruption { throw interruption }
    }
}
