internal import LMDB

/// The rows of the table `late` as one transaction sees them and adds to them.
///
/// What is older than everything else mostly comes in its own order. A row later than all others
/// of its source is found without a look to be new, and the last row of all goes to the table's
/// end, which fills its pages.
struct LateRows {
    private let tables: LogTables

    /// For each source, the latest time that has a row, or the least of all numbers if none has.
    private var latestTimes: [UInt32: Int64] = [:]

    /// The last source that has a row; 0, which is the ledger itself, if there is no row.
    private var lastSource: UInt32?

    /// Prepares to look for rows, which are read when they are needed.
    init(_ tables: LogTables) {
        self.tables = tables
    }

    /// Returns the position of the same event, one without a sender's id, or `nil` if no late event
    /// is that.
    mutating func position(
        of candidate: EntryBatch.Candidate,
        source: UInt32,
        _ open: BlockBuilder,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        guard try candidate.occurredAt <= latestTime(of: source, transaction) else { return nil }
        var digest = candidate.contentDigest
        while let value = try transaction.get(
            tables.late,
            LogKey.moment(source, candidate.occurredAt, digest)
        ) {
            let position = try LogValue.position(value)
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

    /// Gives a late event its row, under the first key from its content digest on that is free.
    mutating func add(
        _ source: UInt32,
        occurredAt: Int64,
        contentDigest: UInt64,
        position: UInt64,
        _ transaction: inout WriteTransaction
    ) throws {
        let latestTime = try latestTime(of: source, transaction)
        let lastSource = try lastSource(transaction)
        var digest = contentDigest
        if occurredAt <= latestTime {
            while try transaction.get(tables.late, LogKey.moment(source, occurredAt, digest)) != nil
            {
                digest &+= 1
            }
        }
        var value: [UInt8] = []
        value.append(littleEndian: position)
        try transaction.put(
            tables.late,
            LogKey.moment(source, occurredAt, digest),
            value,
            append: source >= lastSource && occurredAt > latestTime
        )
        latestTimes[source] = max(latestTime, occurredAt)
        self.lastSource = max(lastSource, source)
    }

    private mutating func latestTime(
        of source: UInt32,
        _ transaction: borrowing WriteTransaction
    ) throws -> Int64 {
        if let known = latestTimes[source] { return known }
        var cursor = try transaction.cursor(tables.late)
        var latest = Int64.min
        if try cursor.seek(toLastKeyBefore: LogKey.source(source + 1)),
            let row = LogKey.parseMoment(cursor.key), row.source == source
        {
            latest = row.occurredAt
        }
        latestTimes[source] = latest
        return latest
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
