import Glibc
import Platform
import SystemPackage

/// Checks `data.mdb` before LMDB opens it, because LMDB crashes on a foreign or short file.
///
/// The layout is that of format version 1 (`MDB_meta` in LMDB 0.9's mdb.c): pages 0 and 1 each have
/// a page header of 16 bytes, then the meta. The one with the greater transaction number counts.
struct DataFile {
    /// The identity of the file.
    let identity: FileIdentity

    /// How large the map was when it was last written.
    let mapBytes: Int

    /// How long the file is.
    let fileBytes: Int

    /// Kept open so that no other file gets its number while the environment lives.
    private let descriptor: FileDescriptor

    /// Reads and checks the meta pages of the file at `path`.
    init(at path: FilePath) throws(LMDBError) {
        let descriptor = try Self.open(path)
        var result = Result<DataFile, LMDBError>
            .failure(
                LMDBError(code: .foreignFile, operation: "open", path: path)
            )
        // Another process may be writing a meta page right now: then the next attempt succeeds.
        for _ in 1...3 {
            result = Result { () throws(LMDBError) in try DataFile(descriptor, path) }
            if case .success = result { break }
        }
        do {
            self = try result.get()
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    /// Closes the file.
    func close() {
        // A failure to close leaves nothing that we could still do.
        try? descriptor.close()
    }

    /// Tells other processes with which lock file this one uses the file, until it is closed.
    ///
    /// - Throws: `.lockFileLost` if one of them uses it with another lock file: LMDB would let both
    ///   write at a time, and neither would know of the other's readers.
    func declareUse(with lockFile: LockFile, in directory: FilePath) throws(LMDBError) {
        let path = directory.appending("data.mdb")
        let isShared = try LMDBError.system("fcntl", path) {
            try FileUse.declare(on: descriptor, with: lockFile.identity)
            return try FileUse.isDeclared(on: descriptor, withOtherThan: lockFile.identity)
        }
        guard !isShared else {
            let path = directory.appending("lock.mdb")
            throw LMDBError(code: .lockFileLost, operation: "open", path: path)
        }
    }

    /// Reads the snapshots of both meta pages.
    func snapshots(in directory: FilePath) throws(LMDBError) -> [StoredSnapshot] {
        let path = directory.appending("data.mdb")
        return try StoredSnapshot.both(in: descriptor, at: path)
    }

    private static func open(_ path: FilePath) throws(LMDBError) -> FileDescriptor {
        let status = try LMDBError.system("lstat", path) {
            try Stat(path, followTargetSymlink: false, retryOnInterrupt: true)
        }
        if status.type == .symbolicLink {
            throw LMDBError(code: .symbolicLink, operation: "open", path: path)
        }
        guard status.type == .regular else {
            throw LMDBError(code: .wrongFileType, operation: "open", path: path)
        }
        return try LMDBError.system("open", path) {
            try FileDescriptor.open(path, .readOnly, options: [.noFollow, .closeOnExec])
        }
    }

    private init(_ descriptor: FileDescriptor, _ path: FilePath) throws(LMDBError) {
        self.descriptor = descriptor
        let reader = PageReader(descriptor: descriptor, path: path)
        let foreign = LMDBError(code: .foreignFile, operation: "open", path: path)
        guard let first = try MetaPage(reader, offset: 0),
            let second = try MetaPage(reader, offset: first.pageBytes),
            second.pageBytes == first.pageBytes
        else { throw foreign }
        let newest = first.transaction < second.transaction ? second : first
        // After the meta pages, because the file only grows.
        let status = try LMDBError.system("fstat", path) { try descriptor.stat() }
        fileBytes = Int(status.size)
        mapBytes = newest.mapBytes
        identity = FileIdentity(status)
        guard newest.hasPlausibleRoots else {
            throw LMDBError(code: .corrupted, operation: "open", path: path)
        }
        let neededBytes = (newest.lastPage + 1) * newest.pageBytes
        if fileBytes >= neededBytes { return }
        let wholePages = fileBytes / newest.pageBytes
        guard try FreePages.contain(pagesFrom: wholePages, newest, reader) else {
            let code = LMDBError.Code.truncated(fileBytes: fileBytes, neededBytes: neededBytes)
            throw LMDBError(code: code, operation: "open", path: path)
        }
    }
}

/// Holds what one of the two meta pages of a data file says.
struct MetaPage {
    private static let byteCount = 152
    private static let metaFlag: UInt16 = 0x08
    private static let magic: UInt32 = 0xBEEF_C0DE
    private static let formatVersion: UInt32 = 1
    private static let pageByteRange: ClosedRange<UInt32> = 512...32_768
    private static let noPage = UInt64.max

    /// The sizes that pages of a file may have, in bytes.
    static let possiblePageBytes = (9...15).map { 1 << $0 }

    /// The size of every page of the file, in bytes.
    let pageBytes: Int

    /// The size of the map, in bytes.
    let mapBytes: Int

    /// The number of the last used page.
    let lastPage: Int

    /// The number of the transaction that wrote it.
    let transaction: UInt64

    /// The root page of the list of free pages, or `nil` if there are none.
    let freeRoot: Int?

    /// The root page of the table of tables, or `nil` if there are none.
    let mainRoot: Int?

    /// Whether the roots of the two built-in tables are pages of the file.
    let hasPlausibleRoots: Bool

    /// Whether the first bytes of a file may be those of a meta page.
    static func canBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        let magicOffset = 16
        let found = bytes.dropFirst(magicOffset).prefix(MemoryLayout<UInt32>.size)
        return zip(found, 0...)
            .allSatisfy { byte, index in
                byte == UInt8(truncatingIfNeeded: magic >> UInt32(8 * index))
            }
    }

    /// Reads the page at `offset`, or returns `nil` if no meta page of LMDB is there.
    init?(_ reader: PageReader, offset: Int) throws(LMDBError) {
        let page = try reader.bytes(at: offset, count: Self.byteCount)
        // Bytes have no padding, which alone makes this property unsafe.
        let bytes = unsafe page.span.bytes
        let pageBytes = bytes.number(at: 40, as: UInt32.self)
        guard page.count == Self.byteCount,
            bytes.number(at: 10, as: UInt16.self) & Self.metaFlag != 0,
            bytes.number(at: 16, as: UInt32.self) == Self.magic,
            bytes.number(at: 20, as: UInt32.self) == Self.formatVersion,
            Self.pageByteRange.contains(pageBytes), pageBytes.nonzeroBitCount == 1,
            let mapBytes = Int(exactly: bytes.number(at: 32, as: UInt64.self)),
            let lastPage = Int(exactly: bytes.number(at: 136, as: UInt64.self)),
            lastPage < Int.max / Int(pageBytes)
        else { return nil }
        self.pageBytes = Int(pageBytes)
        self.mapBytes = mapBytes
        self.lastPage = lastPage
        transaction = bytes.number(at: 144, as: UInt64.self)
        let roots = [bytes.number(at: 80, as: UInt64.self), bytes.number(at: 128, as: UInt64.self)]
        hasPlausibleRoots = roots.allSatisfy { root in
            root == Self.noPage || (root >= 2 && root <= lastPage)
        }
        freeRoot = roots[0] == Self.noPage ? nil : Int(exactly: roots[0])
        mainRoot = roots[1] == Self.noPage ? nil : Int(exactly: roots[1])
    }
}

/// Keeps `lock.mdb` ready for LMDB, which maps it and writes to it as soon as it opens.
///
/// Where a page of it is missing and the disk is full, such a write kills the process. It stays
/// open as long as the environment: closing any descriptor of it drops all the process's locks.
struct LockFile {
    // In LMDB 0.9 with robust mutexes: header and two mutexes, then a cache line for each reader.
    private static let headerBytes = 128
    private static let readerBytes = 64
    private static let writerLockOffset = 64

    private static let fillAttempts = 100
    private static let fillMicroseconds: UInt32 = 10_000

    /// The bits of a robust mutex's word that name its owner, by the kernel's `FUTEX_TID_MASK`.
    private static let ownerMask: UInt32 = 0x3FFF_FFFF

    /// The identity of the file.
    let identity: FileIdentity

    private let descriptor: FileDescriptor
    private let path: FilePath

    /// Opens the file, creates it if it is missing, and fills it if no other process has it open.
    ///
    /// - Throws: `.lockFileCut` if another process uses the file as short as it is.
    init(at path: FilePath, maximumReaders: Int, isTemporary: Bool) throws(LMDBError) {
        self.path = path
        let descriptor = try LMDBError.system("open", path) {
            try FileDescriptor.open(
                path,
                .readWrite,
                options: [.create, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        }
        do {
            identity = try LMDBError.system("fstat", path) { try FileIdentity.of(descriptor) }
        } catch {
            try? descriptor.close()
            throw error
        }
        self.descriptor = descriptor
        do {
            let byteCount = Self.byteCount(maximumReaders: maximumReaders)
            try fill(byteCount: byteCount, isTemporary: isTemporary)
        } catch {
            close()
            throw error
        }
    }

    /// Closes the file, which MUST be after LMDB has.
    func close() {
        // A failure to close leaves nothing that we could still do.
        try? descriptor.close()
    }

    /// The thread that holds LMDB's writer lock, of whatever process, or `nil` if it is free.
    func writerThread() -> pid_t? {
        let word = try? PageReader(descriptor: descriptor, path: path)
            .bytes(at: Self.writerLockOffset, count: MemoryLayout<UInt32>.size)
        guard let word else { return nil }
        // Bytes have no padding, which alone makes this property unsafe.
        let owner = unsafe word.span.bytes.number(at: 0, as: UInt32.self) & Self.ownerMask
        return owner == 0 ? nil : pid_t(owner)
    }

    /// How long the file is that LMDB needs for so many readers.
    static func byteCount(maximumReaders: Int) -> Int {
        headerBytes + maximumReaders * readerBytes
    }

    /// Fills the file, or waits a while for the process that does so; one that is long enough is
    /// left to the process that uses it.
    ///
    /// - Throws: `.lockFileCut` if another process uses the file as short as it is.
    private func fill(byteCount: Int, isTemporary: Bool) throws(LMDBError) {
        var attemptsLeft = Self.fillAttempts
        while try isIncomplete(byteCount), !lockExclusively() {
            // A file system that compresses always says that blocks are missing.
            guard try isShort(byteCount) else { return }
            attemptsLeft -= 1
            guard attemptsLeft > 0 else {
                throw LMDBError(code: .lockFileCut, operation: "open", path: path)
            }
            usleep(Self.fillMicroseconds)
        }
        guard try isIncomplete(byteCount) else { return }
        let zeros = [UInt8](repeating: 0, count: byteCount)
        try LMDBError.system("write", path) {
            _ = try descriptor.writeAll(toAbsoluteOffset: 0, zeros)
        }
        guard !isTemporary else { return }
        try LMDBError.require(fsync(descriptor.rawValue), "fsync", path)
    }

    /// Returns whether the file ends before what LMDB maps.
    private func isShort(_ byteCount: Int) throws(LMDBError) -> Bool {
        try LMDBError.system("fstat", path) { try descriptor.stat().size < byteCount }
    }

    /// Returns whether the file is short, or seems to have holes.
    private func isIncomplete(_ byteCount: Int) throws(LMDBError) -> Bool {
        let status = try LMDBError.system("fstat", path) { try descriptor.stat() }
        return status.size < byteCount || status.sizeAllocated < byteCount
    }

    /// Throws `.displaced` unless the path still leads to this file.
    func requireInPlace(_ operation: String) throws(LMDBError) {
        guard (try? FileIdentity.at(path)) == identity else {
            throw LMDBError(code: .displaced, operation: operation, path: path)
        }
    }

    /// Takes the lock with which LMDB, too, asks whether it is alone; LMDB takes it over from us.
    ///
    /// A lock belongs to a process: one that shares it already gets it for itself, unless another
    /// process shares it too. A process that opens the environment during that time waits.
    func lockExclusively() -> Bool {
        lock(F_WRLCK)
    }

    /// Shares a lock again that this process had for itself.
    func lockShared() {
        _ = lock(F_RDLCK)
    }

    private func lock(_ type: Int32) -> Bool {
        // The system reads the range during the call only.
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = 0
        range.l_len = 1
        return unsafe fcntl(descriptor.rawValue, F_SETLK, &range) == 0
    }
}

/// A thread that reports which process holds the writer lock if LMDB waits for it too long.
///
/// LMDB waits for that lock without a time-out, and the wait cannot be interrupted.
struct WriterWatch {
    private static let longestMilliseconds = 86_400_000.0

    private let work: WorkerThread<Void>
    private let stopEnd: FileDescriptor

    /// Starts to watch, or returns `nil` if the system has no thread or descriptor left for it.
    init?(_ lockFile: LockFile, _ notice: WaitNotice) {
        guard let pipe = try? FileDescriptor.pipe() else { return nil }
        guard let work = WorkerThread({ Self.watch(pipe.readEnd, lockFile, notice) }) else {
            try? pipe.readEnd.close()
            try? pipe.writeEnd.close()
            return nil
        }
        self.work = work
        stopEnd = pipe.writeEnd
    }

    /// Stops the thread, after the report if one is being made.
    func stop() {
        try? stopEnd.close()
        work.join()
    }

    /// What the watching thread does.
    private static func watch(
        _ stopEnd: FileDescriptor,
        _ lockFile: LockFile,
        _ notice: WaitNotice
    ) {
        defer { try? stopEnd.close() }
        let milliseconds = CInt(
            min(max(notice.delay / .milliseconds(1), 0), longestMilliseconds)
        )
        var stopped = pollfd(fd: stopEnd.rawValue, events: Int16(POLLIN), revents: 0)
        // The other end is closed when the wait is over.
        guard unsafe poll(&stopped, 1, milliseconds) == 0,
            let holder = lockFile.writerThread()
        else { return }
        notice.tell(LockHolder(thread: holder))
    }
}
