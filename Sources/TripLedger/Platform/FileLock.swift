import Glibc
import SystemPackage

/// An exclusive lock on a file, held by at most one process at a time.
enum FileLock {
    /// Waits for the lock, runs `body` and gives the lock back; makes the file if it is not there.
    ///
    /// The corresponding C function is `flock`.
    static func holding<Result>(_ path: FilePath, _ body: () throws -> Result) throws -> Result {
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .closeOnExec, .noFollow],
            permissions: [.ownerRead, .ownerWrite]
        )
        // Closing gives the lock back, and nothing was written.
        defer { try? descriptor.close() }
        while flock(descriptor.rawValue, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
        return try body()
    }
}
