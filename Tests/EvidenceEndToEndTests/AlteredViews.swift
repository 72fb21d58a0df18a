import DriveSimulation
import LMDB
import SystemPackage

/// The stored views of a ledger, opened behind its back.
struct AlteredViews {
    /// A row as LMDB has it.
    struct Row {
        var key: [UInt8]
        var value: [UInt8]

        /// The key as `ledger project --check` shows it.
        var name: String {
            key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private let environment: Environment
    private let table: Table

    /// Opens one table of the views in the directory `path`.
    init(_ table: String, at path: FilePath) throws {
        let options = Environment.Options(
            maximumTables: 8,
            initialMapBytes: 1 << 20,
            isReadOnly: false,
            maximumReaders: 126
        )
        environment = try Environment(at: path, options: options)
        self.table = try environment.openTables([table])[0]
    }

    /// Runs `body` and closes the environment.
    func closing<Result>(_ body: (AlteredViews) throws -> Result) rethrows -> Result {
        defer { close() }
        return try body(self)
    }

    /// Closes the environment.
    func close() {
        environment.close()
    }

    /// Returns every row, in order of keys.
    func rows() throws -> [Row] {
        try environment.read { transaction in
            var rows: [Row] = []
            var cursor = try transaction.cursor(table)
            var isFound = try cursor.first()
            while isFound {
                rows.append(Row(key: Self.copy(cursor.key), value: Self.copy(cursor.value)))
                isFound = try cursor.next()
            }
            return rows
        }
    }

    /// Puts a row in place of the one with its key.
    func put(_ row: Row) throws {
        try environment.write { transaction in
            try transaction.put(table, row.key, row.value, append: false)
        }
    }

    /// Removes a row.
    func remove(_ row: Row) throws {
        _ = try environment.write { transaction in
            try transaction.delete(table, row.key)
        }
    }

    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        bytes.indices.map { bytes[$0] }
    }
}
