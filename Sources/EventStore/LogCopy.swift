internal import LMDB

/// Marks a log that was made from an export from which entries were withheld (Formats,
/// *Tombstones*).
enum LogCopy {
    /// Where the number of withheld entries stands in the table `state`.
    static let key: [UInt8] = Array("withheld".utf8)

    /// Returns how many entries were withheld from the log.
    static func withheldCount(
        _ transaction: borrowing ReadTransaction,
        _ tables: LogTables
    ) throws -> UInt64 {
        guard let value = try transaction.get(tables.state, key) else { return 0 }
        return LogValue.number(value) ?? 0
    }

    /// Returns how many entries were withheld from the log.
    static func withheldCount(
        _ transaction: borrowing WriteTransaction,
        _ tables: LogTables
    ) throws -> UInt64 {
        guard let value = try transaction.get(tables.state, key) else { return 0 }
        return LogValue.number(value) ?? 0
    }
}
