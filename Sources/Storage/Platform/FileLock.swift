import Glibc
package import SystemPackage

/// An exclusive lock on a file, held by at most one process at a time.
package enum FileLock {
    /// Waits for the lock, runs `body` and gives the lock back.
    ///
    /// The corresponding C function is `flock`.
    ///
    /// - Parameters:
    ///   - path: The file. Best is the file that the lock protects: a file that exists for its lock
    ///     alone can be deleted while the lock is held, and made anew by others.
    ///   - isMade: Whether the file is made if it is not there.
    ///   - notice: Told if another process keeps the lock for long.
    ///   - body: What to do under the lock.
    /// - Returns: What `body` returned.
    /// - Throws: `Errno`, and what `body` throws.
    package static func holding<Result: ~Copyable>(
        _ path: FilePath,
        isMade: Bool,
        _ notice: WaitNotice?,
        _ body: () throws -> Result
    ) throws -> Result {
        while true {
            let descriptor = try FileDescriptor.open(
                path,
                .readWrite,
                options: isMade
                    ? [.create, .closeOnExec, .noFollow] : [.closeOnExec, .noFollow],
                permissions: [.ownerRead, .ownerWrite]
            )
            // Closing gives the lock back, and nothing was written.
            defer { try? descriptor.close() }
            try lock(descriptor, notice)
            // Another file may have been put there while this process waited.
            let isInPlace = (try? FileIdentity.at(path)) == (try FileIdentity.of(descriptor))
            if isInPlace { return try body() }
        }
    }

    /// Waits for the lock, and says for whom if that takes long.
    private static func lock(_ descriptor: FileDescriptor, _ notice: WaitNotice?) throws {
        if let notice, !(try locks(descriptor, LOCK_EX, within: notice.delay)) {
            if let holder = try holder(ofFlockOn: descriptor) { notice.tell(holder) }
        }
        // Waits without an end; if this descriptor has the lock already, it returns at once.
        while flock(descriptor.rawValue, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
    }

    /// Takes the lock, shared (`LOCK_SH`) or not (`LOCK_EX`), or returns `false` if another process
    /// kept it for too long.
    static func locks(
        _ descriptor: FileDescriptor,
        _ operation: Int32,
        within patience: Duration
    ) throws -> Bool {
        var waited = Duration.zero
        while flock(descriptor.rawValue, operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Errno(rawValue: errno) }
            guard waited < patience else { return false }
            usleep(pollMilliseconds * 1_000)
            waited += .milliseconds(Int(pollMilliseconds))
        }
        return true
    }

    /// Runs `body` under a lock that others take to change something; where nothing can be
    /// written, not even the lock is needed.
    ///
    /// The corresponding C function is `flock`.
    ///
    /// - Returns: What `body` returned, or `nil` if another process kept the lock for too long.
    /// - Throws: `Errno`, also if the file system has no locks, and what `body` throws.
    package static func reading<Result>(
        _ path: FilePath,
        within patience: Duration,
        _ body: () throws -> Result
    ) throws -> Result? {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .noFollow]
            )
        } catch .noSuchFileOrDirectory, .permissionDenied {
            return try body()
        }
        // Closing gives the lock back, and nothing was written.
        defer { try? descriptor.close() }
        guard try locks(descriptor, LOCK_SH, within: patience) else { return nil }
        return try body()
    }

    /// Returns the number of a process that keeps a record of a file locked, as every process that
    /// has an LMDB environment open keeps its lock file, or `nil` if no process does.
    ///
    /// The corresponding C function is `fcntl` with `F_GETLK`.
    package static func holder(of path: FilePath) throws -> Int? {
        guard try Directory.holds(path) else { return nil }
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.closeOnExec, .noFollow]
        )
        // Nothing was written.
        defer { try? descriptor.close() }
        var lock = wholeFileLock
        // The structure lives as long as the call.
        guard unsafe fcntl(descriptor.rawValue, F_GETLK, &lock) == 0 else {
            throw Errno(rawValue: errno)
        }
        return lock.l_type == Int16(F_UNLCK) ? nil : Int(lock.l_pid)
    }

    /// Runs `body` while no process has the LMDB environment open whose lock file this is; makes
    /// the file if it is not there.
    ///
    /// A process that opens the environment meanwhile waits, and then checks again which file
    /// is there. `body` MUST NOT open the file: closing it anywhere in this process gives the lock
    /// back.
    ///
    /// The corresponding C function is `fcntl` with `F_SETLK`.
    ///
    /// - Returns: What `body` returned, or `nil` if another process has the environment open.
    package static func withoutUsers<Result>(
        of path: FilePath,
        _ body: () throws -> Result
    ) throws -> Result? {
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .closeOnExec, .noFollow],
            permissions: [.ownerRead, .ownerWrite]
        )
        // Closing gives the lock back, and nothing was written.
        defer { try? descriptor.close() }
        var lock = wholeFileLock
        // The structure lives as long as the call.
        guard unsafe fcntl(descriptor.rawValue, F_SETLK, &lock) == 0 else {
            guard errno == EAGAIN || errno == EACCES else { throw Errno(rawValue: errno) }
            return nil
        }
        return try body()
    }

    /// An exclusive record lock on all of a file.
    private static var wholeFileLock: Glibc.flock {
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }

    /// How long to wait before the lock is tried again.
    private static let pollMilliseconds: UInt32 = 20

    /// The most of `/proc/locks` that is read; a line has about sixty bytes.
    private static let maximumTableByteCount = 1 << 20

    /// Returns a process that has locked a file with `flock`, or `nil` if that cannot be told.
    ///
    /// It reads the kernel's table of file locks, `/proc/locks` (see `proc_locks(5)`).
    ///
    /// - Throws: `Errno` if the file's status cannot be read.
    private static func holder(ofFlockOn file: FileDescriptor) throws -> LockHolder? {
        let status = try Stat(file)
        let path: FilePath = "/proc/locks"
        // A system without the table gives no notice.
        guard let bytes = try? WholeFile.read(path, maximumByteCount: maximumTableByteCount)
        else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // Such as `3: FLOCK ADVISORY WRITE 1234 fe:00:1008009 0 EOF`; a waiting process has
            // `->` in its line. The device is not compared: that of a subvolume differs from the
            // one in a file's status.
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[1] == "FLOCK",
                fields[5].split(separator: ":").last == "\(status.inode.rawValue)",
                let process = pid_t(fields[4]), process > 0, process != getpid()
            else { continue }
            return LockHolder(thread: process)
        }
        return nil
    }
}

/// A process that holds a lock for which this one waits.
public struct LockHolder: Hashable, Sendable {
    /// Its process identifier.
    public let identifier: Int

    /// The name of its program; empty if this process may not see it.
    public let name: String

    /// Whether it was stopped (SIGSTOP, or Ctrl-Z in a shell), so that it has to be continued or
    /// ended before this process can go on.
    public let isStopped: Bool

    /// Looks up the process of a thread in `/proc`: a thread may have a name of its own.
    package init(thread: Int32) {
        let process = Self.status(of: Int(thread))["Tgid:"].flatMap { Int($0) } ?? Int(thread)
        let fields = Self.status(of: process)
        identifier = process
        name = String(fields["Name:"] ?? "")
        isStopped = fields["State:"]?.lowercased().hasPrefix("t") ?? false
    }

    /// Returns the lines of a process or thread in `/proc`, by what they begin with (see
    /// `proc_pid_status(5)`).
    private static func status(of identifier: Int) -> [Substring: Substring] {
        let path = FilePath("/proc/\(identifier)/status")
        let status = try? WholeFile.read(path, maximumByteCount: 1 << 16)
        var fields: [Substring: Substring] = [:]
        for line in String(decoding: status ?? [], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        return fields
    }
}

/// Tells the caller that this process waits for a lock of another one; such a wait has no limit.
public struct WaitNotice: Sendable {
    /// How long to wait before telling.
    package let delay: Duration

    /// Called once for each wait; perhaps on a thread of its own.
    package let tell: @Sendable (LockHolder) -> Void

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - delay: How long to wait before telling.
    ///   - tell: Called once for each wait that takes longer, perhaps on a thread of its own.
    public init(
        after delay: Duration = .seconds(2),
        tell: @escaping @Sendable (LockHolder) -> Void
    ) {
        self.delay = delay
        self.tell = tell
    }
}
