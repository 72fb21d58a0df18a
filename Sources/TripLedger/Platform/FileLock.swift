import Glibc
import SystemPackage

/// An exclusive lock on a file, held by at most one process at a time.
enum FileLock {
    /// Waits for the lock, runs `body` and gives the lock back; makes the file if it is not there.
    ///
    /// The corresponding C function is `flock`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - notice: Told if another process keeps the lock for long.
    ///   - body: What to do under the lock.
    /// - Returns: What `body` returned.
    /// - Throws: `Errno`, and what `body` throws.
    static func holding<Result>(
        _ path: FilePath,
        _ notice: WaitNotice?,
        _ body: () throws -> Result
    ) throws -> Result {
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .closeOnExec, .noFollow],
            permissions: [.ownerRead, .ownerWrite]
        )
        // Closing gives the lock back, and nothing was written.
        defer { try? descriptor.close() }
        if let notice, !(try locks(descriptor, withinMilliseconds: notice.delayMilliseconds)) {
            if let holder = try FileLockTable.holder(of: descriptor) { notice.tell(holder) }
        }
        // Waits without an end; a lock that this descriptor has already is had at once.
        while flock(descriptor.rawValue, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
        return try body()
    }

    /// Takes the lock, or returns `false` if somebody kept it for too long.
    private static func locks(
        _ descriptor: FileDescriptor,
        withinMilliseconds patience: UInt32
    ) throws -> Bool {
        var waited: UInt32 = 0
        while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Errno(rawValue: errno) }
            guard waited < patience else { return false }
            WallClock.pause(milliseconds: pollMilliseconds)
            waited += pollMilliseconds
        }
        return true
    }

    /// Runs `body` under a lock that others take to change something; where nobody can write, not
    /// even the lock is needed.
    ///
    /// The corresponding C function is `flock`.
    ///
    /// - Returns: What `body` returned, or `nil` if somebody kept the lock for too long.
    static func reading<Result>(
        _ path: FilePath,
        withinMilliseconds patience: UInt32,
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
        var waited: UInt32 = 0
        while flock(descriptor.rawValue, LOCK_SH | LOCK_NB) != 0 {
            guard waited < patience else { return nil }
            WallClock.pause(milliseconds: pollMilliseconds)
            waited += pollMilliseconds
        }
        return try body()
    }

    /// Returns the number of a process that keeps a record of a file locked, as everybody who has
    /// an LMDB environment open keeps its lock file, or `nil` if nobody does.
    ///
    /// The corresponding C function is `fcntl` with `F_GETLK`.
    static func holder(of path: FilePath) throws -> Int? {
        guard try Directory.holds(path) else { return nil }
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.closeOnExec, .noFollow]
        )
        // Nothing was written.
        defer { try? descriptor.close() }
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // The structure lives as long as the call.
        guard unsafe fcntl(descriptor.rawValue, F_GETLK, &lock) == 0 else {
            throw Errno(rawValue: errno)
        }
        return lock.l_type == Int16(F_UNLCK) ? nil : Int(lock.l_pid)
    }

    /// Runs `body` while nobody has the LMDB environment open whose lock file this is; makes the
    /// file if it is not there.
    ///
    /// Who opens the environment meanwhile waits, and then looks again what stands there. `body`
    /// MUST NOT open the file: closing it anywhere in this process gives the lock back.
    ///
    /// The corresponding C function is `fcntl` with `F_SETLK`.
    ///
    /// - Returns: What `body` returned, or `nil` if another process has the environment open.
    static func withoutUsers<Result>(
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
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // The structure lives as long as the call.
        guard unsafe fcntl(descriptor.rawValue, F_SETLK, &lock) == 0 else {
            guard errno == EAGAIN || errno == EACCES else { throw Errno(rawValue: errno) }
            return nil
        }
        return try body()
    }

    private static let pollMilliseconds: UInt32 = 20
}
