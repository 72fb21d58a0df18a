internal import LMDB

/// The rows of the table `late` as one transaction sees them and adds to them.
///
/// What is older than everything else mostly comes in its own order. A row later than all others
/// of its source is found without a look to be new, and those that come after all other rows go to
/// the table's end together, which fills its pages.
struct LateRows {
    private static let valueByteCount = 8
    private static let rowByteCount = LogKey.momentByteCount + valueByteCount

    /// Bytes of rows after which they are put into the table.
    private static let mostPendingBytes = 1 << 16

    private let tables: LogTables

    /// The source that was asked for last, with the latest time of it that has a row, or the least
    /// of all numbers if none has.
    private var latest: (source: UInt32, time: Int64)?

    /// The same for the sources before it.
    private var latestTimes: [UInt32: Int64] = [:]

    /// The last source that has a row; 0, which is the ledger itself, if there is no row.
    private var lastSource: UInt32?

    /// The rows that are not in the table yet: in order, and after all that are in it.
    private var pending: [UInt8] = []

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

    /// Gives a late event its row, under the first key from its content digest on that is free.
    ///
    /// The row may stay in memory until `write(_:)`.
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
        guard source < lastSource || occurredAt <= latestTime else {
            LogKey.append(source, occurredAt, contentDigest, to: &pending)
            pending.append(littleEndian: position)
            if pending.count >= Self.mostPendingBytes { try write(&transaction) }
            return
        }
        var digest = contentDigest
        if occurredAt <= latestTime {
            while try self.position(source, occurredAt, digest, transaction) != nil { digest &+= 1 }
        }
        // Rows that wait come after all that are in the table.
        if !pending.isEmpty, pendingKey(at: 0) < (source, occurredAt, digest) {
            try write(&transaction)
        }
        var value: [UInt8] = []
        value.append(littleEndian: position)
        let key = LogKey.moment(source, occurredAt, digest)
        try transaction.put(tables.late, key, value, append: false)
    }

    /// Writes the rows that are still in memory.
    mutating func write(_ transaction: inout WriteTransaction) throws {
        guard !pending.isEmpty else { return }
        try transaction.append(
            to: tables.late,
            pending.span,
            keyByteCount: LogKey.momentByteCount,
            valueByteCount: Self.valueByteCount
        )
        pending.removeAll(keepingCapacity: true)
    }
}

// MARK: - Finding rows

extension LateRows {
    /// Returns the position in the row of a key, or `nil` if there is no such row.
    private func position(
        _ source: UInt32,
        _ occurredAt: Int64,
        _ digest: UInt64,
        _ transaction: borrowing WriteTransaction
    ) throws -> UInt64? {
        if let position = pendingPosition((source, occurredAt, digest)) { return position }
        let key = LogKey.moment(source, occurredAt, digest)
        guard let value = try transaction.get(tables.late, key) else { return nil }
        return try LogValue.position(value)
    }

    private func pendingPosition(_ key: (UInt32, Int64, UInt64)) -> UInt64? {
        let count = pending.count / Self.rowByteCount
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if pendingKey(at: middle) < key {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        guard range.lowerBound < count, pendingKey(at: range.lowerBound) == key else { return nil }
        let row = range.lowerBound * Self.rowByteCount
        return pending.span.littleEndian(at: row + LogKey.momentByteCount)
    }

    private func pendingKey(at index: Int) -> (UInt32, Int64, UInt64) {
        let row = index * Self.rowByteCount
        let bytes = pending.span.extracting(row..<row + LogKey.momentByteCount)
        guard let key = LogKey.parseMoment(bytes) else {
            preconditionFailure("a row begins with a key of its length")
        }
        return key
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
