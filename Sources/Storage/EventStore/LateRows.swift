import LMDB

extension ReadableLog {
    /// Returns late entries of a source in order of time; all other entries of the source are in
    /// the log in order of time, each later than the one before it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - earliest: Entries that happened before this time, in milliseconds since 1970, are left
    ///     out.
    ///   - last: The entry after which to continue; `nil` to start with the first.
    ///   - limit: The most entries.
    /// - Returns: The entries' positions.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    package func lateEntries(
        of source: UInt32,
        from earliest: Int64 = .min,
        after last: LateEntry?,
        limit: Int
    ) throws -> [LateEntry] {
        try read { transaction in
            var found: [LateEntry] = []
            var cursor = try transaction.cursor(tables.late)
            let key = LogKey.moment(source, last?.occurredAt ?? earliest, last?.digest ?? 0)
            var isFound = try cursor.seek(toKeyAtOrAfter: key)
            while isFound, found.count < limit, let row = LogKey.parseMoment(cursor.key),
                row.source == source
            {
                let entry = LateEntry(
                    occurredAt: row.occurredAt,
                    digest: row.last,
                    position: try LogValue.position(cursor.value)
                )
                if entry != last, entry.position < shownEnd { found.append(entry) }
                isFound = try cursor.next()
            }
            return found
        }
    }
}

/// The position of a late entry: one that is not later than all before it from its source.
package struct LateEntry: Hashable, Sendable {
    /// When it happened: milliseconds since 1970.
    package let occurredAt: Int64

    /// The last part of the key, which differs among late entries of one time.
    let digest: UInt64

    /// Its position.
    package let position: UInt64
}

/// The rows of the table `late` as one transaction reads them and adds to them.
///
/// It remembers the latest time of each source that has a row, because most late events arrive in
/// their own order: an event after that time is new and needs no lookup.
struct LateRows {
    private let tables: LogTables

    /// The source of the last lookup and the latest time of it that has a row, `Int64.min` if none
    /// has.
    private var latest: (source: UInt32, time: Int64)?

    /// The same for other sources that were looked up.
    private var latestTimes: [UInt32: Int64] = [:]

    /// The last source that has a row; 0, which is the ledger itself, if there is no row.
    private var lastSource: UInt32?

    /// Prepares lookups; nothing is read before it is needed.
    init(_ tables: LogTables) {
        self.tables = tables
    }

    /// Returns the position of the late event that is the same as `candidate`, which has no id from
    /// its sender, or `nil` if there is none.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard try candidate.occurredAt <= latestTime(of: source, transaction) else { return nil }
        var digest = candidate.contentDigest
        while let position = try position(source, candidate.occurredAt, digest, transaction) {
            let isSame = try EntryLookup.isSame(
                candidate,
                of: source,
                at: position,
                tables,
                open,
                transaction
            )
            if isSame { return position }
            digest &+= 1
        }
        return nil
    }

    /// Adds the row of a late event, under the first free key from its content digest on.
    mutating func add(
        _ source: UInt32,
        occurredAt: Int64,
        contentDigest: UInt64,
        position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let latestTime = try latestTime(of: source, transaction)
        let lastSource = try lastSource(transaction)
        latest = (source, max(latestTime, occurredAt))
        self.lastSource = max(lastSource, source)
        var digest = contentDigest
        if occurredAt <= latestTime {
            while try self.position(source, occurredAt, digest, transaction) != nil { digest &+= 1 }
        }
        var value: [UInt8] = []
        value.append(littleEndian: position)
        try transaction.put(
            tables.late,
            LogKey.moment(source, occurredAt, digest),
            value,
            // After all other rows LMDB need not search, and fills its pages.
            append: source >= lastSource && occurredAt > latestTime
        )
    }

    /// Returns the position in the row of a key, or `nil` if there is no such row.
    private func position(
        _ source: UInt32,
        _ occurredAt: Int64,
        _ digest: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        let key = LogKey.moment(source, occurredAt, digest)
        guard let value = try transaction.get(tables.late, key) else { return nil }
        return try LogValue.position(value)
    }

    private mutating func latestTime(
        of source: UInt32,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        if let latest, latest.source == source { return latest.time }
        if let latest { latestTimes[latest.source] = latest.time }
        let time = try latestTimes[source] ?? latestTimeInTable(of: source, transaction)
        latest = (source, time)
        return time
    }

    private func latestTimeInTable(
        of source: UInt32,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        var cursor = try transaction.cursor(tables.late)
        guard try cursor.seek(toLastKeyBefore: LogKey.source(source + 1)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        else { return .min }
        return row.occurredAt
    }

    private mutating func lastSource(
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt32 {
        if let lastSource { return lastSource }
        var cursor = try transaction.cursor(tables.late)
        let last = try cursor.last() ? LogKey.parseMoment(cursor.key)?.source ?? .max : 0
        lastSource = last
        return last
    }
}
