internal import Glibc
internal import Platform
internal import SystemPackage

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

    /// Fills the file, or waits a while for the process that does so.
    ///
    /// - Throws: `.lockFileCut` if another process uses the file as short as it is.
    private func fill(byteCount: Int, isTemporary: Bool) throws(LMDBError) {
        var attemptsLeft = Self.fillAttempts
        while try isIncomplete(byteCount), !lockExclusively() {
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
