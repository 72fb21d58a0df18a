import EventStore
import LMDB
import SystemPackage
import Testing

extension TemporaryLog {
    /// Returns the rows of a table of the closed log.
    func rows(_ table: String) throws -> [[UInt8]: [UInt8]] {
        let environment = try openEnvironment()
        defer { environment.close() }
        let handle = try #require(environment.openTables([table]).first)
        var rows: [[UInt8]: [UInt8]] = [:]
        try environment.scan(handle, from: []) { key, value in
            rows[key.indices.map { key[$0] }] = value.indices.map { value[$0] }
            return true
        }
        return rows
    }

    /// Changes the value of a table's first row behind the log's back.
    func alter(_ table: String, _ change: (inout [UInt8]) -> Void) throws {
        log.close()
        guard var row = try rows(table).min(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        change(&row.value)
        try put(table, row.key, row.value)
    }

    /// Changes the value of a table's last row behind the log's back.
    func alterLast(_ table: String, _ change: (inout [UInt8]) -> Void) throws {
        log.close()
        guard var row = try rows(table).max(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        change(&row.value)
        try put(table, row.key, row.value)
    }

    /// Stores a row behind the log's back.
    func put(_ table: String, _ key: [UInt8], _ value: [UInt8]) throws {
        log.close()
        try write(table) { transaction, handle in
            try transaction.put(handle, key, value, append: false)
        }
    }

    /// Deletes a table's first row behind the log's back.
    func deleteFirstRow(_ table: String) throws {
        log.close()
        guard let row = try rows(table).min(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        try write(table) { transaction, handle in
            _ = try transaction.delete(handle, row.key)
        }
    }

    /// Changes a block behind the log's back; returns its first position.
    func alterBlock(_ index: Int, _ change: (inout [UInt8]) -> Void) throws -> UInt64 {
        var row = try block(index)
        change(&row.value)
        try put("blocks", row.key, row.value)
        return row.position
    }

    /// Deletes a block behind the log's back; returns its first position.
    func removeBlock(_ index: Int) throws -> UInt64 {
        let row = try block(index)
        try write("blocks") { transaction, handle in
            _ = try transaction.delete(handle, row.key)
        }
        return row.position
    }

    private func block(
        _ index: Int
    ) throws -> (key: [UInt8], value: [UInt8], position: UInt64) {
        log.close()
        let rows = try rows("blocks").sorted { $0.key.lexicographicallyPrecedes($1.key) }
        guard rows.indices.contains(index) else { throw MissingRow() }
        let row = rows[index]
        return (row.key, row.value, row.key.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private struct MissingRow: Error {}

    private func write(
        _ table: String,
        _ change: (inout WriteTransaction, Table) throws -> Void
    ) throws {
        do {
            let environment = try openEnvironment()
            defer { environment.close() }
            let handle = try #require(environment.openTables([table]).first)
            try environment.write { try change(&$0, handle) }
        }
        try reopen()
    }

    private func openEnvironment() throws -> Environment {
        try Environment(
            at: path,
            options: Environment.Options(
                maximumTables: 16,
                initialMapBytes: 1 << 20,
                isReadOnly: false,
                maximumReaders: 16
            )
        )
    }
}
