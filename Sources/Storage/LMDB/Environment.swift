import CLMDB
import Glibc
package import Platform
import Synchronization
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
    private static let largestGrowthBytes = 1 << 30

    let pointer: OpaquePointer
    let gate = TransactionGate()
    let residentPages = ResidentPages()
    let dataFile: DataFile
    private let waitNotice: WaitNotice?
    let lockFile: LockFile?

    /// The file that LMDB reads and writes.
    private let openFile: FileIdentity

    /// Whether a commit counts only if the files are still at `path` afterwards.
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
    private func requireContinuation(_ transaction: Int, _ operation: String) throws(LMDBError) {
        guard transaction > lastCommitted else {
            let file = path.appending("data.mdb")
            throw LMDBError(code: .displaced, operation: operation, path: file)
        }
    }

    /// Checks the result of a commit before it is reported to anyone.
    ///
    /// - Throws: `.lostWrite` if the file does not show the transaction, `.displaced` if the file
    ///   is not the one at the path any more.
    func requireCommitted(_ transaction: Int, _ operation: String) throws(LMDBError) {
        try requireVisible(transaction, operation)
        lastCommitted = transaction
        if staysAtPath { try requireAtPath(operation) }
    }

    /// Whether bytes can be the first ones of a data file; `true` if there are none or too few to
    /// tell.
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

extension Environment {
    /// Runs `body` on a snapshot of the environment.
    ///
    /// Keep it short: while it runs, pages that writers free are not used again: the file grows.
    /// Reads may be nested; a write of the same environment inside of one is a programming error.
    package func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        try body(ReadTransaction(in: self))
    }

    /// Runs `body` and commits what it did when it returns, or drops it when it throws.
    ///
    /// `body` MUST be repeatable: if the map is full it is enlarged, and `body` runs again from the
    /// start on the unchanged environment. A write waits until the one before it is over, in this
    /// process or another; writes must not be nested.
    /// - Throws: what `body` throws, or ``LMDBError``. If its `outcomeIsUnknown`, the changes may
    ///   have been stored.
    package func write<Result: ~Copyable>(
        _ body: (inout WriteTransaction) throws -> Result
    ) throws -> Result {
        guard gate.enterWriting() else { throw closedError("write") }
        defer { gate.leaveWriting() }
        while true {
            var transaction = try WriteTransaction(in: self)
            do {
                let result = try body(&transaction)
                try transaction.commit()
                residentPages.countCommit(changes: transaction.changeCount)
                return result
            } catch {
                transaction.abort()
                guard transaction.ranOutOfMap else { throw error }
            }
            try growMap()
        }
    }

    /// Opens existing tables; each needs opening only once per environment.
    ///
    /// The corresponding C function is `mdb_dbi_open`.
    /// - Throws: `.notFound` if a table is missing.
    package func openTables(_ names: [String]) throws(LMDBError) -> [Table] {
        // LMDB allows one thread at a time to open tables, hence not as a mere reader.
        guard gate.enterWriting() else { throw closedError("mdb_dbi_open") }
        defer { gate.leaveWriting() }
        // Every path ends the transaction, and no other code has the handle.
        let transaction = unsafe try beginReading()
        defer { gate.leaveReading() }
        var tables: [Table] = []
        for name in names {
            var identifier = MDB_dbi()
            // The transaction is ours, and LMDB copies the name.
            let status = unsafe mdb_dbi_open(transaction, name, 0, &identifier)
            guard status == MDB_SUCCESS else {
                unsafe mdb_txn_abort(transaction)
                let operation = "mdb_dbi_open \(name)"
                throw LMDBError(code: .init(status: status), operation: operation, path: path)
            }
            tables.append(Table(identifier: identifier, environment: ObjectIdentifier(self)))
        }
        // Only the commit makes the handles known to later transactions.
        try check(unsafe mdb_txn_commit(transaction), "mdb_txn_commit")
        return tables
    }
}

// MARK: - Resident memory

extension Environment {
    /// Counts a change of the transaction that this thread writes, and after some of them drops the
    /// pages of the map that they have touched; `table` is the one that was changed.
    func countChange(of table: Table) {
        guard residentPages.countChange() else { return }
        // A snapshot shows where the map lies; values that were just written do not. This only
        // saves memory: if reading fails, or the table is new, the process is a little larger.
        try? read { transaction in
            var cursor = try transaction.cursor(table)
            if try cursor.first() { residentPages.drop(around: cursor.key) }
        }
    }
}

// MARK: - Beginning

extension Environment {
    /// Enters the gate and begins to read; the caller ends the transaction and leaves the gate.
    func beginReading() throws(LMDBError) -> OpaquePointer {
        var hasCheckedReaders = false
        var mapBytes: Int?
        while true {
            guard gate.enterReading() else { throw closedError("mdb_txn_begin") }
            // The gate keeps the environment open; the caller owns the handle.
            var transaction: OpaquePointer?
            let status = unsafe mdb_txn_begin(pointer, nil, CUnsignedInt(MDB_RDONLY), &transaction)
            if status == MDB_SUCCESS, let transaction = unsafe transaction {
                do throws(LMDBError) {
                    try requireVisible(unsafe mdb_txn_id(transaction), "mdb_txn_begin")
                } catch {
                    unsafe mdb_txn_abort(transaction)
                    gate.leaveReading()
                    throw error
                }
                return unsafe transaction
            }
            gate.leaveReading()
            switch status {
            case MDB_MAP_RESIZED:
                mapBytes = try adoptMapSize(insteadOf: mapBytes)
            case MDB_READERS_FULL where !hasCheckedReaders:
                hasCheckedReaders = true
                _ = try checkReaders()
            case Errno.resourceTemporarilyUnavailable.rawValue:
                throw LMDBError(
                    code: .processIdentifierTaken,
                    operation: "mdb_txn_begin",
                    path: path
                )
            default:
                try check(status, "mdb_txn_begin")
            }
        }
    }

    /// Begins to write; the caller is in the gate and ends the transaction.
    func beginWriting() throws(LMDBError) -> OpaquePointer {
        let watch = startWatch()
        defer { watch?.stop() }
        var mapBytes: Int?
        while true {
            // The gate keeps the environment open; the caller owns the handle.
            var transaction: OpaquePointer?
            let status = unsafe mdb_txn_begin(pointer, nil, 0, &transaction)
            if status == MDB_SUCCESS, let transaction = unsafe transaction {
                do throws(LMDBError) {
                    let number = unsafe mdb_txn_id(transaction)
                    try requireVisible(number - 1, "mdb_txn_begin")
                    try requireContinuation(number, "mdb_txn_begin")
                } catch {
                    unsafe mdb_txn_abort(transaction)
                    throw error
                }
                return unsafe transaction
            }
            if status == MDB_MAP_RESIZED {
                mapBytes = try adoptMapSize(insteadOf: mapBytes)
            } else {
                try check(status, "mdb_txn_begin")
            }
        }
    }
}

// MARK: - Checking that a commit is visible

extension Environment {
    /// Throws `.lostWrite` unless the file shows the transaction of this number, or a later one.
    ///
    /// LMDB does not check it. It takes the last transaction's number from the lock file, and its
    /// tables from the meta page whose turn it was. Were that page lost on the way to the file,
    /// then all processes would continue from the state of two transactions before, and put other
    /// entries where these were acknowledged. The caller is in the gate.
    private func requireVisible(_ transaction: Int, _ operation: String) throws(LMDBError) {
        // The gate keeps the environment open; LMDB fills in numbers from the map.
        var information = unsafe MDB_envinfo()
        try check(unsafe mdb_env_info(pointer, &information), "mdb_env_info")
        let last = unsafe information.me_last_txnid
        guard last >= transaction else {
            throw LMDBError(code: .lostWrite, operation: operation, path: path)
        }
    }
}

// MARK: - Waiting

extension Environment {
    /// Starts to watch another process's write, if this one has to wait for it and reports waits.
    private func startWatch() -> WriterWatch? {
        guard let waitNotice, let lockFile, lockFile.writerThread() != nil else { return nil }
        return WriterWatch(lockFile, waitNotice)
    }
}

// MARK: - The size of the map

extension Environment {
    private func growMap() throws(LMDBError) {
        // The writer is in the gate, so that the environment stays open.
        var information = unsafe MDB_envinfo()
        try check(unsafe mdb_env_info(pointer, &information), "mdb_env_info")
        let mapBytes = unsafe information.me_mapsize
        let growth = min(mapBytes, Self.largestGrowthBytes)
        _ = try setMapSize(mapBytes + growth, orBackTo: mapBytes)
    }

    /// Takes over the size that another process has given to the map, and returns it.
    ///
    /// - Throws: `.pageNotFound` if that size was too small before: then the last page that the
    ///   file names cannot exist.
    private func adoptMapSize(insteadOf previous: Int?) throws(LMDBError) -> Int {
        let mapBytes = try setMapSize(0, orBackTo: 0)
        guard mapBytes != previous else {
            throw LMDBError(code: .pageNotFound, operation: "mdb_txn_begin", path: path)
        }
        return mapBytes
    }

    /// Moves the map while no transaction of this process is open, which LMDB does not check.
    ///
    /// - Returns: The size of the map in bytes.
    ///
    /// The corresponding C function is `mdb_env_set_mapsize`.
    private func setMapSize(
        _ byteCount: Int,
        orBackTo oldByteCount: Int
    ) throws(LMDBError) -> Int {
        var mapBytes = 0
        let outcome = gate.exclusively {
            residentPages.mapWillMove()
            // No other thread is inside: no pointer into the map is alive.
            let status = unsafe mdb_env_set_mapsize(pointer, byteCount)
            guard status != MDB_SUCCESS else {
                var information = unsafe MDB_envinfo()
                let asked = unsafe mdb_env_info(pointer, &information)
                mapBytes = unsafe information.me_mapsize
                return (status: asked, isOpen: true)
            }
            // LMDB has given up the old map before it asked for the new one.
            let isMapped = unsafe mdb_env_set_mapsize(pointer, oldByteCount) == MDB_SUCCESS
            return (status: status, isOpen: isMapped)
        }
        guard let status = outcome else {
            throw LMDBError(code: .mapInUse, operation: "mdb_env_set_mapsize", path: path)
        }
        try check(status, "mdb_env_set_mapsize")
        return mapBytes
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

        /// Whether a commit counts only if the files are still at the path afterwards; if not, the
        /// files may be moved or deleted while they are open.
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
