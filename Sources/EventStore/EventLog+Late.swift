import LMDB

extension EventLog {
    /// Returns late entries of a source in order of time; all others of the source stand in the log
    /// in order of time, each later than the one before it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - last: The entry to go on after; `nil` for the first.
    ///   - limit: The most entries.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func lateEntries(
        of source: UInt32,
        after last: LateEntry?,
        limit: Int
    ) throws -> [LateEntry] {
        try environment.read { transaction in
            var found: [LateEntry] = []
            var cursor = try transaction.cursor(tables.late)
            let key = LogKey.moment(source, last?.occurredAt ?? .min, last?.digest ?? 0)
            var isFound = try cursor.seek(toKeyAtOrAfter: key)
            while isFound, found.count < limit, let row = LogKey.parseMoment(cursor.key),
                row.source == source
            {
                let entry = LateEntry(
                    occurredAt: row.occurredAt,
                    digest: row.last,
                    position: try LogValue.position(cursor.value)
                )
                if entry != last { found.append(entry) }
                isFound = try cursor.next()
            }
            return found
        }
    }
}
