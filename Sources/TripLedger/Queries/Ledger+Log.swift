import EventStore

extension Ledger {
    /// Hands over the entries from a position on, as they were stored, until `body` returns
    /// `false`.
    ///
    /// - Throws: `.damaged`, `.inputOutput`, and what `body` throws.
    public func scanLog(
        from position: UInt64,
        _ body: (StoredEvent) throws -> Bool
    ) throws {
        var names = SourceNames(log)
        // What the caller's code throws is the caller's, and goes back to it as it is.
        var interruption: (any Error)?
        try LedgerError.translating(at: path) {
            try log.scan(from: position) { block in
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
