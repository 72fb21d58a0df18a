internal import CLMDB
internal import Glibc
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
            // Fails if a file or a directory with files in it now exists there.
            try LMDBError.require(unsafe rename(temporary.string, path.string), "rename", path)
        } catch {
            removeNewDirectory(temporary)
            throw error
        }
        try synchronize(directory)
    }

    private static func fillNewDirectory(
        _ path: FilePath,
        _ options: Options,
        _ found: (inout WriteTransaction) throws -> Void
    ) throws {
        var writable = options
        writable.isReadOnly = false
        let lockPath = path.appending("lock.mdb")
        let lockFile = try LockFile(at: lockPath, maximumReaders: options.maximumReaders)
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
        try synchronize(path.appending("data.mdb"))
        try synchronize(lockPath)
        try synchronize(path)
    }

    /// Deletes a directory that holds an environment, as far as it can.
    static func removeNewDirectory(_ path: FilePath) {
        // Errors are ignored: a directory that is left over is never read.
        _ = unsafe unlink(path.appending("data.mdb").string)
        _ = unsafe unlink(path.appending("lock.mdb").string)
        _ = unsafe rmdir(path.string)
    }

    /// Waits until a file or directory is on disk.
    ///
    /// The corresponding C function is `fsync`.
    static func synchronize(_ path: FilePath) throws(LMDBError) {
        let descriptor = try LMDBError.system("open", path) {
            try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        }
        defer { try? descriptor.close() }
        try LMDBError.require(fsync(descriptor.rawValue), "fsync", path)
    }
}
