import LMDB

extension EventLog {
    /// Returns late entries of a source in order of time; all other entries of the source are in
    /// the log in order of time, each later than the one before it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - last: The entry after which to continue; `nil` to start with the first.
    ///   - limit: The most entries.
    /// - Returns: The entries' positions.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func lateEntries(
        of source: UInt32,
        after last: LateEntry?,
        limit: Int
    ) throws -> [LateEntry] {
        try read { transaction in
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
