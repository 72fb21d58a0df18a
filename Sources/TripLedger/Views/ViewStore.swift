import LMDB
import SystemPackage

/// The environment `views/` on disk: rows that people look at, and how far they have read.
struct ViewStore: Sendable {
    private static let options = Environment.Options(
        maximumTables: ViewTable.allCases.count,
        initialMapBytes: 16 << 20,
        isReadOnly: false,
        maximumReaders: 126
    )

    private let environment: Environment
    private let tables: [ViewTable: Table]

    /// Opens the views in the directory at `path`.
    init(at path: FilePath, isReadOnly: Bool = false) throws {
        var options = Self.options
        options.isReadOnly = isReadOnly
        environment = try Environment(at: path, options: options)
        let handles = try environment.openTables(ViewTable.allCases.map(\.rawValue))
        tables = Dictionary(uniqueKeysWithValues: zip(ViewTable.allCases, handles))
    }

    /// Creates empty views; the directory appears at `path` complete or not at all.
    static func create(at path: FilePath) throws -> ViewStore {
        try Environment.create(at: path, options: options) { transaction in
            for table in ViewTable.allCases {
                _ = try transaction.createTable(table.rawValue)
            }
        }
        return try ViewStore(at: path)
    }

    /// Closes the environment; the store MUST NOT be used after that.
    func close() {
        environment.close()
    }

    /// Returns the value of a key, or `nil`.
    func value(_ table: ViewTable, _ key: [UInt8]) throws -> [UInt8]? {
        try environment.read { transaction in
            guard let value = try transaction.get(handle(table), key) else { return nil }
            return Array(copying: value)
        }
    }

    /// Walks over the rows of a table from `key` on, in ascending or descending order of keys.
    ///
    /// - Parameters:
    ///   - key: The first key; in descending order, the first key that is too large, or `nil` for
    /// the
    ///     end of the table.
    ///   - body: Gets key and value, and returns whether to go on.
    func scan(
        _ table: ViewTable,
        from key: [UInt8]?,
        isDescending: Bool = false,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        try environment.read { transaction in
            var cursor = try transaction.cursor(handle(table))
            var isFound: Bool
            if let key, try cursor.seek(toKeyAtOrAfter: key) {
                isFound = isDescending ? try cursor.previous() : true
            } else {
                isFound = isDescending ? try cursor.last() : key == nil ? try cursor.first() : false
            }
            while isFound {
                guard try body(Array(copying: cursor.key), Array(copying: cursor.value)) else {
                    return
                }
                isFound = isDescending ? try cursor.previous() : try cursor.next()
            }
        }
    }

    /// Makes all changes of some buffered tables durable in one transaction.
    func commit(_ buffers: [ViewBuffer]) throws {
        try environment.write { transaction in
            for buffer in buffers {
                let table = handle(buffer.table)
                for (key, change) in buffer.changes.sorted(by: {
                    $0.key.lexicographicallyPrecedes($1.key)
                }) {
                    if let value = change {
                        try transaction.put(table, key, value, append: false)
                    } else {
                        _ = try transaction.delete(table, key)
                    }
                }
            }
        }
    }

    private func handle(_ table: ViewTable) -> Table {
        guard let handle = tables[table] else {
            preconditionFailure("every table is opened with the store")
        }
        return handle
    }
}
