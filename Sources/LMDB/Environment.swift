internal import CLMDB
internal import Glibc
package import Platform
internal import Synchronization
package import SystemPackage

/// An LMDB environment: tables of keys and values in a directory, which several processes may have
/// open.
///
/// One transaction writes at a time; any number read, each on a snapshot of its own. A commit is
/// durable when it returns, unless the options say otherwise. A process MUST NOT open a directory
/// twice.
/// The corresponding C type is `MDB_env`.
// @unchecked because LMDB guards its memory itself, except for what `gate` adds.
@safe package final class Environment: @unchecked Sendable {
    /// The directory.
    package let path: FilePath

    /// The most bytes that a map grows by at a time.
    static let largestGrowthBytes = 1 << 30

    let pointer: OpaquePointer
    let gate = TransactionGate()
    let residentPages = ResidentPages()
    let dataFile: DataFile
    let waitNotice: WaitNotice?
    let lockFile: LockFile?

    /// The file that LMDB reads and writes.
    private let openFile: FileIdentity

    /// Whether what is committed counts only if it stands at `path` then.
    private let staysAtPath: Bool

    /// The number of the last transaction that was committed here; the writer's, in the gate.
    private var lastCommitted = 0

    /// How many readers of dead processes were found and cleared when it was opened.
    package private(set) var clearedReaderCount = 0

    /// Opens the environment in the directory `path`, which ``create(at:options:)`` made.
    ///
    /// The corresponding C function is `mdb_env_open`.
    package init(at path: FilePath, options: Options) throws(LMDBError) {
        try LMDBError.system("open", "/dev/null") { try StandardStreams.open() }
        try Self.requireDirectory(path)
        let dataFile = try DataFile(at: path.appending("data.mdb"))
        guard EnvironmentRegistry.reserve(dataFile.identity) else {
            dataFile.close()
            throw LMDBError(code: .alreadyOpen, operation: "open", path: path)
        }
        var lockFile: LockFile?
        do throws(LMDBError) {
            lockFile = try Self.openLockFile(path, options)
            if let lockFile { try Self.declareUse(of: dataFile, with: lockFile, in: path) }
            let mapBytes = max(options.initialMapBytes, dataFile.mapBytes, dataFile.fileBytes)
            // Owned by this object until `close()`.
            let opened = unsafe try Self.open(path, options, mapBytes: mapBytes)
            unsafe pointer = opened
            do throws(LMDBError) {
                openFile = unsafe try Self.openFile(opened, path)
                try lockFile?.requireInPlace("open")
            } catch {
                // The handle is closed here and used nowhere else.
                unsafe mdb_env_close(opened)
                let isReplaced = error.code == .displaced
                throw isReplaced
                    ? LMDBError(code: .replaced, operation: "open", path: path) : error
            }
        } catch {
            lockFile?.close()
            EnvironmentRegistry.release(dataFile.identity)
            dataFile.close()
            throw error
        }
        self.path = path
        self.lockFile = lockFile
        staysAtPath = options.staysAtPath
        waitNotice = options.waitNotice
        self.dataFile = dataFile
        clearedReaderCount = try checkReaders()
    }

    deinit {
        close()
    }

    /// Waits for the last transaction to end and closes the environment; every call after that
    /// throws `.closed`.
    ///
    /// The corresponding C function is `mdb_env_close`.
    package func close() {
        let status = gate.exclusively {
            // No transaction is open, and the gate lets none begin.
            unsafe mdb_env_close(pointer)
            // After LMDB: closing ours drops the locks that protect its readers.
            lockFile?.close()
            EnvironmentRegistry.release(dataFile.identity)
            dataFile.close()
            return (status: MDB_SUCCESS, isOpen: false)
        }
        precondition(status != nil, "An environment must not be closed inside of a read.")
    }

    /// Whether the files that are open are those that stand in the directory: another process may
    /// have put others there.
    package var isAtPath: Bool {
        (try? requireAtPath("lstat")) != nil
    }

    /// Throws `.displaced` unless the files that are open are those that stand in the directory.
    ///
    /// A file that was deleted, and one whose directory was moved, can be written and flushed as
    /// before, and a process that looks at the path sees nothing of it.
    /// The corresponding C function is `lstat`.
    package func requireAtPath(_ operation: String) throws(LMDBError) {
        let file = path.appending("data.mdb")
        guard (try? FileIdentity.at(file)) == openFile else {
            throw LMDBError(code: .displaced, operation: operation, path: file)
        }
        try lockFile?.requireInPlace(operation)
    }

    /// Checks that a transaction that this process begins follows the last one it committed.
    ///
    /// - Throws: `.displaced` if an older copy was written over the files meanwhile.
    func requireContinuation(_ transaction: Int, _ operation: String) throws(LMDBError) {
        guard transaction > lastCommitted else {
            let file = path.appending("data.mdb")
            throw LMDBError(code: .displaced, operation: operation, path: file)
        }
    }

    /// Checks what a commit came to before anyone is told of it.
    ///
    /// - Throws: `.lostWrite` if the file does not show the transaction, `.displaced` if the file
    ///   is not the one at the path any more.
    func requireCommitted(_ transaction: Int, _ operation: String) throws(LMDBError) {
        try requireVisible(transaction, operation)
        lastCommitted = transaction
        if staysAtPath { try requireAtPath(operation) }
    }

    /// Whether bytes can be the first ones of a data file; too few to tell, and none, can be.
    package static func isDataFile(beginningWith bytes: ArraySlice<UInt8>) -> Bool {
        MetaPage.canBegin(bytes)
    }

    /// Throws if a function of LMDB did not return 0.
    func check(_ status: CInt, _ operation: String) throws(LMDBError) {
        guard status == MDB_SUCCESS else {
            throw LMDBError(code: .init(status: status), operation: operation, path: path)
        }
    }

    /// Returns the error of a call on a closed environment.
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

    /// Tells other processes with which lock file this one uses the data file.
    ///
    /// - Throws: `.lockFileLost` if one of them uses it with another; `.replaced` if both files
    ///   were exchanged after the first was opened, so that they do not belong together.
    private static func declareUse(
        of dataFile: DataFile,
        with lockFile: LockFile,
        in path: FilePath
    ) throws(LMDBError) {
        do {
            try dataFile.declareUse(with: lockFile, in: path)
        } catch  where error.code == .lockFileLost {
            let file = try? FileIdentity.at(path.appending("data.mdb"))
            guard file != dataFile.identity else { throw error }
            throw LMDBError(code: .replaced, operation: "open", path: path)
        }
    }

    /// Opens the lock file, or returns `nil` if it cannot be written: LMDB works without one then.
    private static func openLockFile(
        _ path: FilePath,
        _ options: Options
    ) throws(LMDBError) -> LockFile? {
        do {
            return try LockFile(
                at: path.appending("lock.mdb"),
                maximumReaders: options.maximumReaders,
                isTemporary: options.isTemporary
            )
        } catch  where options.isReadOnly && error.code.isLackOfRights {
            return nil
        } catch  where error.code == .system(.tooManySymbolicLinkLevels) {
            throw LMDBError(code: .symbolicLink, operation: "open", path: error.path)
        }
    }

    /// Lets LMDB open or create its files in an existing directory.
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
        // The handle is returned if all calls succeed, and closed if one fails.
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
                | (options.syncsCommits && !options.isTemporary ? 0 : MDB_NOSYNC)
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

    /// How many bytes `lock.mdb` has for so many readers; LMDB maps all of them.
    package static func lockFileBytes(maximumReaders: Int) -> Int {
        LockFile.byteCount(maximumReaders: maximumReaders)
    }

    /// The size of a page of memory, of which LMDB wants the map to be a multiple.
    static var pageBytes: Int { sysconf(CInt(_SC_PAGESIZE)) }

    /// Sets close-on-exec on the data file's descriptor, which LMDB 0.9.24 does not.
    private static func closeOnExec(
        _ pointer: OpaquePointer,
        _ path: FilePath
    ) throws(LMDBError) {
        // The handle is open, and the descriptor is used during this call only.
        let descriptor = unsafe try descriptor(of: pointer, path)
        try LMDBError.require(fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC), "fcntl", path)
    }

    /// Returns which file LMDB reads and writes.
    ///
    /// On a file system of layers, it may be another one than that which was opened only to read.
    private static func openFile(
        _ pointer: OpaquePointer,
        _ path: FilePath
    ) throws(LMDBError) -> FileIdentity {
        // The handle is open, and the descriptor is used during this call only.
        let descriptor = unsafe try descriptor(of: pointer, path)
        return try LMDBError.system("fstat", path) { try FileIdentity.of(descriptor) }
    }

    /// Returns the data file's descriptor, which stays LMDB's.
    ///
    /// The corresponding C function is `mdb_env_get_fd`.
    private static func descriptor(
        of pointer: OpaquePointer,
        _ path: FilePath
    ) throws(LMDBError) -> FileDescriptor {
        // The handle is open; LMDB fills in a number.
        var descriptor: CInt = -1
        let status = unsafe mdb_env_get_fd(pointer, &descriptor)
        guard status == MDB_SUCCESS else {
            throw LMDBError(code: .init(status: status), operation: "mdb_env_get_fd", path: path)
        }
        return FileDescriptor(rawValue: descriptor)
    }
}

extension Environment {
    /// How to open an environment.
    ///
    /// Nothing is left to LMDB's defaults.
    package struct Options: Sendable {
        /// How many tables can be open.
        package var maximumTables: Int

        /// How large the map is at least at the start, in bytes; it grows when it has to.
        package var initialMapBytes: Int

        /// Whether nothing can be written; such an environment may lie on read-only media.
        package var isReadOnly: Bool

        /// How many readers, of all processes, there can be at a time.
        package var maximumReaders: Int

        /// Whether a commit is durable when it returns; if not, only `sync()` makes what was
        /// committed durable, and a crash of the machine before that may leave nothing of use.
        package var syncsCommits = true

        /// Whether the environment is of no use after a crash or the end of this process: nothing
        /// of it is ever flushed, neither commits nor the directory that appears.
        package var isTemporary = false

        /// Whether what is committed counts only if it stands at the path then; if not, the files
        /// may be moved or deleted while they are open.
        package var staysAtPath = false

        /// Told when another process keeps a write waiting, on a thread of its own.
        package var waitNotice: WaitNotice?

        /// Creates options.
        package init(
            maximumTables: Int,
            initialMapBytes: Int,
            isReadOnly: Bool,
            maximumReaders: Int,
            waitNotice: WaitNotice? = nil
        ) {
            self.maximumTables = maximumTables
            self.initialMapBytes = initialMapBytes
            self.isReadOnly = isReadOnly
            self.maximumReaders = maximumReaders
            self.waitNotice = waitNotice
        }
    }
}

/// The data files of the environments that this process has open.
///
/// Closing a second environment of the same files would drop the process's locks on them, and
/// writers would overwrite pages that readers of the first one use.
enum EnvironmentRegistry {
    /// Few enough to search.
    private static let openFiles = Mutex<[FileIdentity]>([])

    /// Reserves a file, or returns `false` if this process has it open.
    static func reserve(_ file: FileIdentity) -> Bool {
        openFiles.withLock { files in
            guard !files.contains(file) else { return false }
            files.append(file)
            return true
        }
    }

    /// Ends a reservation.
    static func release(_ file: FileIdentity) {
        openFiles.withLock { $0.removeAll { $0 == file } }
    }
}
