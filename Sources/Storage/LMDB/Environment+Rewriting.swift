import CLMDB
import Glibc
import Platform
package import SystemPackage

extension Environment {
    /// Creates an environment: a directory that only its owner may enter.
    ///
    /// It is made beside `path` and renamed when it is on disk, so that a killed process leaves no
    /// incomplete environment, only a directory `.NAME.….new` that can be deleted. `found` writes
    /// the first transaction, such as tables.
    /// - Throws: `.system(.fileExists)` if something exists at `path`, and what `found` throws.
    package static func create(
        at path: FilePath,
        options: Options,
        _ found: (inout WriteTransaction) throws -> Void = { _ in }
    ) throws {
        let isFree = (try? Stat(path, followTargetSymlink: false)) == nil
        guard isFree, let name = path.lastComponent else {
            throw LMDBError(code: .system(.fileExists), operation: "create", path: path)
        }
        let parent = path.removingLastComponent()
        let directory = parent.isEmpty ? FilePath(".") : parent
        let number = UInt64.random(in: .min ... .max)
        let temporary = directory.appending(".\(name.string).\(String(number, radix: 36)).new")
        // The text is copied for the call.
        try LMDBError.require(unsafe mkdir(temporary.string, 0o700), "mkdir", temporary)
        do {
            try fillNewDirectory(temporary, options, found)
            if !options.isTemporary { try synchronizeNewDirectory(temporary) }
            // Fails if a file or a directory with files in it now exists there.
            try LMDBError.require(unsafe rename(temporary.string, path.string), "rename", path)
        } catch {
            removeNewDirectory(temporary)
            throw error
        }
        if !options.isTemporary { try synchronize(directory) }
    }

    private static func fillNewDirectory(
        _ path: FilePath,
        _ options: Options,
        _ found: (inout WriteTransaction) throws -> Void
    ) throws {
        var writable = options
        writable.isReadOnly = false
        let lockFile = try LockFile(
            at: path.appending("lock.mdb"),
            maximumReaders: options.maximumReaders,
            isTemporary: options.isTemporary
        )
        let mapBytes = max(options.initialMapBytes, pageBytes)
        do {
            defer { lockFile.close() }
            // The handle is closed on the next line and used nowhere else.
            let pointer = unsafe try open(path, writable, mapBytes: mapBytes)
            unsafe mdb_env_close(pointer)
        }
        do {
            let environment = try Environment(at: path, options: writable)
            // Before the lock file is opened again, which would drop its locks.
            defer { environment.close() }
            try environment.write(found)
        }
    }

    private static func synchronizeNewDirectory(_ path: FilePath) throws(LMDBError) {
        try synchronize(path.appending("data.mdb"))
        try synchronize(path.appending("lock.mdb"))
        try synchronize(path)
    }

    /// Deletes a directory that holds an environment, as far as it can.
    static func removeNewDirectory(_ path: FilePath) {
        // Errors are ignored: a directory that is left over is never read.
        _ = unsafe unlink(path.appending("data.mdb").string)
        _ = unsafe unlink(path.appending("lock.mdb").string)
        _ = unsafe rmdir(path.string)
    }

    /// Waits until a file or directory is on disk, even if it is reached by a symbolic link, as a
    /// ledger may be.
    ///
    /// The corresponding C function is `fsync`.
    static func synchronize(_ path: FilePath) throws(LMDBError) {
        let descriptor = try LMDBError.system("open", path) {
            try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        }
        defer { try? descriptor.close() }
        try LMDBError.require(fsync(descriptor.rawValue), "fsync", path)
    }

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
                        residentPages,
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
        _ residentPages: ResidentPages,
        _ convert: Conversion,
        _ finish: (inout WriteTransaction, [Table]) throws -> Void
    ) throws {
        let copy = try Environment(at: path, options: options)
        defer { copy.close() }
        let copies = try copy.openTables(tables.map { $0.0 })
        for ((name, table), target) in zip(tables, copies) {
            var last: [UInt8]?
            while true {
                let rows = try rows(of: table, after: last, transaction, residentPages)
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
        _ transaction: borrowing WriteTransaction,
        _ residentPages: ResidentPages
    ) throws -> [Row] {
        var cursor = try transaction.cursor(table)
        var isFound: Bool
        if let last {
            isFound = try cursor.seek(toKeyAtOrAfter: last)
            if isFound { isFound = try cursor.next() }
        } else {
            isFound = try cursor.first()
        }
        // This transaction changes nothing, so the value lies in the map.
        if isFound { residentPages.drop(around: cursor.value) }
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
