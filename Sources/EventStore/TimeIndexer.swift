internal import LMDB

/// Makes the rows of some sources in `times`, `late` and `sources` anew from the entries: as if
/// those that are tombstones now had never been there, so that no row tells when they happened.
struct TimeIndexer {
    private let tables: LogTables
    private let sources: Set<UInt32>
    private var indexer: EntryIndexer

    /// Prepares to make the rows of some sources.
    ///
    /// - Throws: `EventLogError.damaged` if one of them is unknown, or `LMDBError`.
    init(
        _ tables: LogTables,
        sources: Set<UInt32>,
        _ transaction: borrowing WriteTransaction
    ) throws {
        self.tables = tables
        self.sources = sources
        indexer = EntryIndexer(tables)
        for source in sources {
            let name = try indexer.state(of: source, at: 0, transaction).name
            indexer.add(source, named: name)
        }
    }

    /// Deletes the rows and makes them again.
    mutating func run(_ transaction: inout WriteTransaction) throws {
        for source in sources.sorted() {
            try Self.deleteRows(of: source, tables.times, &transaction)
            try Self.deleteRows(of: source, tables.late, &transaction)
        }
        var next: UInt64 = 0
        var buffer = BlockBuffer()
        while let block = try Self.block(at: next, tables, transaction) {
            let view = try BlockView(block.span, at: next, decodedInto: &buffer)
            var entries = view.entries
            while true {
                let position = entries.position
                guard let entry = try entries.next() else { break }
                guard !entry.isTombstone, sources.contains(entry.source) else { continue }
                try indexer.note(entry, at: position, &transaction)
            }
            next = view.endPosition
        }
        try indexer.write(&transaction)
    }

    private static func deleteRows(
        of source: UInt32,
        _ table: Table,
        _ transaction: inout WriteTransaction
    ) throws {
        while let key = try firstKey(of: source, table, transaction) {
            _ = try transaction.delete(table, key)
        }
    }

    private static func firstKey(
        of source: UInt32,
        _ table: Table,
        _ transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        var cursor = try transaction.cursor(table)
        let start = LogKey.source(source)
        guard try cursor.seek(toKeyAtOrAfter: start),
            cursor.key.count >= start.count,
            cursor.key.extracting(first: start.count).hasSameBytes(as: start.span)
        else { return nil }
        var key: [UInt8] = []
        key.append(contentsOf: cursor.key)
        return key
    }

    /// Copies the block that starts at a position, for nothing may be lent while rows change.
    private static func block(
        at position: UInt64,
        _ tables: LogTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> [UInt8]? {
        guard let value = try transaction.get(tables.blocks, LogKey.number(position)) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.append(contentsOf: value)
        return bytes
    }
}
