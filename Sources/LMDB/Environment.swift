internal import CLMDB
internal import Glibc
package import SystemPackage

/// Keeps tables of keys and values in a directory, for several processes at a time.
///
/// One transaction writes at a time; any number read, each a snapshot of its own. A commit is
/// durable when it returns, unless the options say otherwise. There is at most one environment per
/// directory and process.
/// The corresponding C type is `MDB_env`.
// @unchecked because LMDB guards its memory itself, except for what `gate` adds.
@safe package final class Environment: @unchecked Sendable {
    /// The directory.
    package let path: FilePath

    /// The most bytes that a map grows by at a time.
    static let largestGrowthBytes = 1 << 30

    let pointer: OpaquePointer
    let gate = TransactionGate()
    let dataFile: DataFile
    let waitReport: WaitReport?
    let lockFile: LockFile?

    /// How many readers of dead processes were found and cleared when it was opened.
    package private(set) var clearedReaderCount = 0

    /// Opens the environment in the directory `path`, which ``create(at:options:)`` made.
    ///
    /// The corresponding C function is `mdb_env_open`.
    package init(at path: FilePath, options: Options) throws(LMDBError) {
        try Self.requireDirectory(path)
        let dataFile = try DataFile(at: path.appending("data.mdb"))
        guard EnvironmentRegistry.reserve(dataFile.identity) else {
            dataFile.close()
            throw LMDBError(code: .alreadyOpen, operation: "open", path: path)
        }
        var lockFile: LockFile?
        do throws(LMDBError) {
            lockFile = try Self.openLockFile(path, options)
            let mapBytes = max(options.initialMapBytes, dataFile.mapBytes, dataFile.fileBytes)
            // Ours alone from here on, until `close()`.
            let opened = unsafe try Self.open(path, options, mapBytes: mapBytes)
            unsafe pointer = opened
            if let lockFile, !lockFile.isInPlace {
                // The handle is closed here and seen by nobody else.
                unsafe mdb_env_close(opened)
                throw LMDBError(code: .replaced, operation: "open", path: path)
            }
        } catch {
            lockFile?.close()
            EnvironmentRegistry.release(dataFile.identity)
            dataFile.close()
            throw error
        }
        self.path = path
        self.lockFile = lockFile
        waitReport = options.waitReport
        self.dataFile = dataFile
        clearedReaderCount = try checkReaders()
    }

    deinit {
        close()
    }

    /// Closes the environment when the last transaction in it is over; then nothing works any more.
    ///
    /// The corresponding C function is `mdb_env_close`.
    package func close() {
        let status = gate.exclusively {
            // The gate has let everybody out and lets nobody in again.
            unsafe mdb_env_close(pointer)
            // After LMDB: closing ours drops the locks that protect its readers.
            lockFile?.close()
            EnvironmentRegistry.release(dataFile.identity)
            dataFile.close()
            return (status: MDB_SUCCESS, isOpen: false)
        }
        precondition(status != nil, "An environment must not be closed inside of a read.")
    }

    /// Throws if a function of LMDB did not return 0.
    func check(_ status: CInt, _ operation: String) throws(LMDBError) {
        guard status == MDB_SUCCESS else {
            throw LMDBError(code: .init(status: status), operation: operation, path: path)
        }
    }

    /// Says that the environment is closed.
    func closedError(_ operation: String) -> LMDBError {
        LMDBError(code: .closed, operation: operation, path: path)
    }
}

// MARK: - Opening

extension Environment {
    private static func requireDirectory(_ path: FilePath) throws(LMDBError) {
        let status = try LMDBError.system("lstat", path) {
            try Stat(path, followTargetSymlink: false, retryOnInterrupt: true)
        }
        if status.type == .symbolicLink {
            throw LMDBError(code: .symbolicLink, operation: "open", path: path)
        }
        guard status.type == .directory else {
            throw LMDBError(code: .wrongFileType, operation: "open", path: path)
        }
    }

    /// Opens the lock file, unless it cannot be written: then LMDB goes without one.
    private static func openLockFile(
        _ path: FilePath,
        _ options: Options
    ) throws(LMDBError) -> LockFile? {
        do {
            return try LockFile(
                at: path.appending("lock.mdb"),
                maximumReaders: options.maximumReaders
            )
        } catch  where options.isReadOnly && error.code.isLackOfRights {
            return nil
        } catch  where error.code == .system(.tooManySymbolicLinkLevels) {
            throw LMDBError(code: .symbolicLink, operation: "open", path: error.path)
        }
    }

    /// Has LMDB open or create its files in an existing directory.
    static func open(
        _ path: FilePath,
        _ options: Options,
        mapBytes: Int
    ) throws(LMDBError) -> OpaquePointer {
        func check(_ status: CInt, _ operation: String) throws(LMDBError) {
            guard status == MDB_SUCCESS else {
                throw LMDBError(code: .init(status: status), operation: operation, path: path)
            }
        }
        // The handle is passed on only when all went well, and closed if not.
        var created: OpaquePointer?
        try check(unsafe mdb_env_create(&created), "mdb_env_create")
        guard let pointer = unsafe created else {
            preconditionFailure("mdb_env_create succeeded without an environment.")
        }
        do {
            let tables = CUnsignedInt(options.maximumTables)
            try check(unsafe mdb_env_set_maxdbs(pointer, tables), "mdb_env_set_maxdbs")
            let readers = CUnsignedInt(options.maximumReaders)
            try check(unsafe mdb_env_set_maxreaders(pointer, readers), "mdb_env_set_maxreaders")
            let wholePages = (mapBytes + pageBytes - 1) / pageBytes * pageBytes
            try check(unsafe mdb_env_set_mapsize(pointer, wholePages), "mdb_env_set_mapsize")
            let flags =
                MDB_NOTLS | (options.isReadOnly ? MDB_RDONLY : 0)
                | (options.syncsCommits ? 0 : MDB_NOSYNC)
            try check(
                unsafe mdb_env_open(pointer, path.string, CUnsignedInt(flags), 0o600),
                "mdb_env_open"
            )
            unsafe try closeOnExec(pointer, path)
        } catch {
            unsafe mdb_env_close(pointer)
            throw error
        }
        return unsafe pointer
    }

    /// The size of a page of memory, of which LMDB wants the map to be a multiple.
    static var pageBytes: Int { sysconf(CInt(_SC_PAGESIZE)) }

    /// Keeps the data file from programs that this one starts; LMDB 0.9.24 forgets to.
    private static func closeOnExec(
        _ pointer: OpaquePointer,
        _ path: FilePath
    ) throws(LMDBError) {
        // The handle is open; LMDB fills in a number.
        var descriptor: CInt = -1
        let status = unsafe mdb_env_get_fd(pointer, &descriptor)
        guard status == MDB_SUCCESS else {
            throw LMDBError(code: .init(status: status), operation: "mdb_env_get_fd", path: path)
        }
        try LMDBError.require(fcntl(descriptor, F_SETFD, FD_CLOEXEC), "fcntl", path)
    }
}
