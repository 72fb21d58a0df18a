import Glibc
import SystemPackage

/// Directories that only their owner may enter.
enum Directory {
    /// Where files go that nobody keeps: `TMPDIR`, else `/tmp`.
    static var temporary: FilePath {
        // The text is copied at once.
        if let path = unsafe getenv("TMPDIR") { return unsafe FilePath(platformString: path) }
        return "/tmp"
    }

    /// Makes a directory, and those above it that are missing; an existing one is fine.
    ///
    /// The corresponding C function is `mkdir`.
    static func make(_ path: FilePath) throws {
        if let status = try? Stat(path) {
            guard status.type == .directory else { throw Errno.notDirectory }
            return
        }
        let parent = path.removingLastComponent()
        if !parent.isEmpty, parent != path { try make(parent) }
        // The path lives as long as the call.
        guard unsafe mkdir(path.string, 0o700) == 0 || errno == EEXIST else {
            throw Errno(rawValue: errno)
        }
    }

    /// Moves a directory to a name that nothing has.
    ///
    /// The corresponding C function is `rename`.
    static func move(_ path: FilePath, to destination: FilePath) throws {
        // The paths live as long as the call.
        guard unsafe rename(path.string, destination.string) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// Deletes an LMDB environment that nobody uses any more: derived data, or a leftover.
    static func removeEnvironment(_ path: FilePath) {
        // Best effort: what stays behind is never read, and costs only space. The paths live as
        // long as the calls.
        _ = unsafe unlink(path.appending("data.mdb").string)
        _ = unsafe unlink(path.appending("lock.mdb").string)
        _ = unsafe rmdir(path.string)
    }
}
