internal import CLMDB
internal import Glibc
internal import Platform
package import SystemPackage

extension Environment {
    /// How much is copied in one transaction.
    private static let batchBytes = 4 << 20

    private static let rewrittenSuffix = ".rewritten"

    /// A row of a table.
    package typealias Row = (key: [UInt8], value: [UInt8])

    /// Returns the rows to store in place of some consecutive rows of a table.
    package typealias Conversion = (_ table: String, _ rows: [Row]) throws -> [Row]

    /// Replaces this environment by a new one with the same rows, or converted ones, so that no
    /// byte is left of what was deleted or overwritten, neither in free pages nor in gaps of used
    /// ones.
    ///
    /// The two directories are exchanged in one step, then the old one is deleted. Afterwards this
    /// environment MUST be closed; it can be opened again.
    ///
    /// - Parameters:
    ///   - options: How the new environment is made.
    ///   - names: The names of all tables.
    ///   - convert: Returns the rows to copy in place of some rows, in ascending order of keys.
    ///   - finish: Changes the copy before it takes its place; gets the tables in order of `names`.
    /// - Returns: `false` if another process has the environment open; then nothing was done.
    /// - Throws: ``LMDBError``; `.system(.invalidArgument)` if the file system cannot exchange
    ///   directories.
    package func rewrite(
        _ options: Options,
        tables names: [String],
        convert: Conversion = { _, rows in rows },
        finish: (inout WriteTransaction, [Table]) throws -> Void
    ) throws -> Bool {
        guard let lockFile else {
            throw LMDBError(code: .system(.readOnlyFileSystem), operation: "rewrite", path: path)
        }
        let tables = try openTables(names)
        return try write { transaction in
            guard lockFile.lockExclusively() else { return false }
            let copyPath = Self.rewrittenPath(beside: path)
            do {
                try Self.removeLeftover(beside: path)
                do {
                    try Self.create(at: copyPath, options: options) { copy in
                        for name in names { _ = try copy.createTable(name) }
                    }
                    try Self.fill(
                        copyPath,
                        options,
                        zip(names, tables),
                        transaction,
                        convert,
                        finish
                    )
                    try LMDBError.system("renameat2", path) {
                        try AtomicRename.exchange(path, with: copyPath)
                    }
                } catch {
                    Self.removeNewDirectory(copyPath)
                    throw error
                }
                try Self.synchronize(Self.parent(of: path))
            } catch {
                lockFile.lockShared()
                throw error
            }
            try Self.removeLeftover(beside: path)
            try Self.synchronize(Self.parent(of: path))
            return true
        }
    }

    /// Deletes what an interrupted rewriting left behind.
    ///
    /// - Returns: `false` if another process has the environment open; then nothing was done.
    /// - Throws: ``LMDBError``.
    package func finishRewriting() throws -> Bool {
        guard let lockFile else {
            throw LMDBError(code: .system(.readOnlyFileSystem), operation: "rewrite", path: path)
        }
        return try write { _ in
            // The directory beside this one may belong to a rewriting that is running.
            guard lockFile.lockExclusively() else { return false }
            defer { lockFile.lockShared() }
            try Self.removeLeftover(beside: path)
            try Self.synchronize(Self.parent(of: path))
            return true
        }
    }

    /// Whether an interrupted rewriting left a directory behind, which may hold deleted rows.
    package var hasLeftoverOfRewriting: Bool {
        (try? Stat(Self.rewrittenPath(beside: path), followTargetSymlink: false)) != nil
    }

    /// Whether the path still leads to these files: a rewriting may have put others there
    /// while this environment was being opened.
    var isInPlace: Bool {
        lockFile?.isInPlace ?? true
    }

    private static func rewrittenPath(beside path: FilePath) -> FilePath {
        FilePath(path.string + rewrittenSuffix)
    }

    private static func removeLeftover(beside path: FilePath) throws(LMDBError) {
        let leftover = rewrittenPath(beside: path)
        guard (try? Stat(leftover, followTargetSymlink: false)) != nil else { return }
        removeNewDirectory(leftover)
        guard (try? Stat(leftover, followTargetSymlink: false)) == nil else {
            throw LMDBError(code: .system(.fileExists), operation: "rewrite", path: leftover)
        }
    }

    private static func fill(
        _ path: FilePath,
        _ options: Options,
        _ tables: Zip2Sequence<[String], [Table]>,
        _ transaction: borrowing WriteTransaction,
        _ convert: Conversion,
        _ finish: (inout WriteTransaction, [Table]) throws -> Void
    ) throws {
        let copy = try Environment(at: path, options: options)
        defer { copy.close() }
        let copies = try copy.openTables(tables.map { $0.0 })
        for ((name, table), target) in zip(tables, copies) {
            var last: [UInt8]?
            while true {
                let rows = try rows(of: table, after: last, transaction)
                guard let newest = rows.last else { break }
                let converted = try convert(name, rows)
                try copy.write { batch in
                    for row in converted { try batch.put(target, row.key, row.value, append: true) }
                }
                last = newest.key
            }
        }
        try copy.write { try finish(&$0, copies) }
    }

    private static func rows(
        of table: Table,
        after last: [UInt8]?,
        _ transaction: borrowing WriteTransaction
    ) throws -> [Row] {
        var cursor = try transaction.cursor(table)
        var isFound: Bool
        if let last {
            isFound = try cursor.seek(toKeyAtOrAfter: last)
            if isFound { isFound = try cursor.next() }
        } else {
            isFound = try cursor.first()
        }
        var rows: [Row] = []
        var byteCount = 0
        while isFound, byteCount < batchBytes {
            rows.append((Array(copying: cursor.key), Array(copying: cursor.value)))
            byteCount += cursor.value.count
            isFound = try cursor.next()
        }
        return rows
    }

    /// Exchanges two directories durably, in one step.
    ///
    /// - Throws: `.system(.invalidArgument)` if the file system cannot do that.
    package static func exchange(_ path: FilePath, with other: FilePath) throws(LMDBError) {
        try LMDBError.system("renameat2", path) { try AtomicRename.exchange(path, with: other) }
        try synchronize(parent(of: path))
        try synchronize(parent(of: other))
    }

    private static func parent(of path: FilePath) -> FilePath {
        let parent = path.removingLastComponent()
        return parent.isEmpty ? "." : parent
    }
}
