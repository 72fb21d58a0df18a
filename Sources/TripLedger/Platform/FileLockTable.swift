import Glibc
import LMDB
import SystemPackage

/// The kernel's table of file locks, `/proc/locks` (see `proc_locks(5)`).
enum FileLockTable {
    /// The most of the table that is read; a line has some sixty bytes.
    private static let maximumByteCount = 1 << 20

    /// Returns a process that has locked a file with `flock`, or `nil` if none can be told.
    ///
    /// - Throws: `Errno` if the file's status cannot be read.
    static func holder(of file: FileDescriptor) throws -> LockHolder? {
        let status = try Stat(file)
        // A system without the table waits without a word, as all did before.
        let path: FilePath = "/proc/locks"
        guard let bytes = try? WholeFile.read(path, maximumByteCount: maximumByteCount)
        else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            // Such as `3: FLOCK ADVISORY WRITE 1234 fe:00:1008009 0 EOF`; who waits has `->`. The
            // device is not compared: that of a subvolume is another one in a file's status.
            let fields = line.split(separator: " ")
            guard fields.count == 8, fields[1] == "FLOCK",
                fields[5].split(separator: ":").last == "\(status.inode.rawValue)",
                let process = pid_t(fields[4]), process > 0, process != getpid()
            else { continue }
            return LockHolder(WriterProcess(thread: process))
        }
        return nil
    }
}
