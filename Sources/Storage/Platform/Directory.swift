import Glibc
package import SystemPackage

/// Directories that only their owner may enter.
package enum Directory {
    /// Where temporary files go: `TMPDIR`, else `/tmp`.
    package static var temporary: FilePath {
        // The text is copied at once.
        if let path = unsafe getenv("TMPDIR") { return unsafe FilePath(platformString: path) }
        return "/tmp"
    }

    /// Where temporary files may go if there is no room elsewhere: a file system in memory.
    package static let inMemory: FilePath = "/dev/shm"

    /// Makes a directory durably, and those above it that are missing; an existing one is fine.
    ///
    /// The corresponding C function is `mkdir`.
    package static func make(_ path: FilePath) throws {
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
        try DurableFile.synchronizeDirectory(of: path)
    }

    /// Makes a directory with what is in it durably, at a path where nothing may be; it appears
    /// complete or not at all.
    ///
    /// What a killed process left behind on its way to this name is removed.
    ///
    /// - Parameters:
    ///   - path: Where; directories above it that are missing are made.
    ///   - fill: Gets the directory while it has another name, `.NAME.….new`.
    /// - Returns: What `fill` returned.
    /// - Throws: `Errno`, `.fileExists` if there is something; and what `fill` throws.
    package static func create<Result>(
        _ path: FilePath,
        _ fill: (FilePath) throws -> Result
    ) throws -> Result {
        let parent = path.removingLastComponent()
        if !parent.isEmpty { try make(parent) }
        let last = ".\(path.lastComponent?.string ?? "")"
        return try Unfinished.withDirectory(for: last, in: parent) { passing in
            do {
                let result = try fill(passing)
                try DurableFile.synchronizeTree(passing)
                try DurableFile.move(passing, to: path, isReplacing: false)
                return result
            } catch {
                // A leftover does no harm; the error that left it is the one to report.
                try? removeTree(passing)
                throw error
            }
        }
    }

    /// Returns whether there is something at a path, a symbolic link included.
    ///
    /// - Throws: `Errno` if that cannot be told, for want of rights or because of a fault.
    package static func holds(_ path: FilePath) throws -> Bool {
        do {
            _ = try Stat(path, followTargetSymlink: false)
            return true
        } catch .noSuchFileOrDirectory, .notDirectory {
            return false
        }
    }

    /// Returns the absolute path of what is there, without symbolic links.
    ///
    /// The corresponding C function is `realpath`.
    package static func absolute(_ path: FilePath) throws -> FilePath {
        // The path lives as long as the call, and the text that it returns is ours.
        guard let text = unsafe realpath(path.string, nil) else { throw Errno(rawValue: errno) }
        // Allocated by `realpath` for us; freed once.
        defer { unsafe free(text) }
        // It is copied before it is freed.
        return unsafe FilePath(platformString: text)
    }

    /// Returns how many bytes the owner may still write on the disk of a path.
    ///
    /// The corresponding C function is `statvfs`.
    package static func freeBytes(at path: FilePath) throws -> UInt64 {
        var status = statvfs()
        // The path and the structure live as long as the call.
        guard unsafe statvfs(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Returns who may do what with a file or directory, as `chmod` writes it: `0700`.
    package static func permissions(of path: FilePath) throws -> String {
        let mode = try Stat(path).permissions.rawValue & 0o777
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Returns the names of what a directory holds.
    ///
    /// The corresponding C functions are `opendir` and `readdir`.
    package static func names(in path: FilePath) throws -> [String] {
        // The stream is closed at the end, and each entry is copied before the next is read.
        guard let stream = unsafe opendir(path.string) else { throw Errno(rawValue: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Deletes a directory and the files in it, or whatever else stands at a path.
    ///
    /// It is for derived data and leftovers. The target of a symbolic link is not ours and stays.
    ///
    /// - Throws: `Errno` if something in it is not a file, or may not be deleted.
    package static func remove(_ path: FilePath) throws {
        guard try Stat(path, followTargetSymlink: false).type == .directory else {
            return try removeFile(path)
        }
        for name in try names(in: path) { try removeFile(path.appending(name)) }
        // The path lives as long as the call.
        guard unsafe rmdir(path.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Deletes a directory that holds nothing.
    ///
    /// The corresponding C function is `rmdir`.
    package static func removeEmpty(_ path: FilePath) throws {
        // The path lives as long as the call.
        guard unsafe rmdir(path.string) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Deletes a directory with everything below it, which this program made.
    package static func removeTree(_ path: FilePath) throws {
        guard try Stat(path, followTargetSymlink: false).type == .directory else {
            return try removeFile(path)
        }
        for name in try names(in: path) { try removeTree(path.appending(name)) }
        try removeEmpty(path)
    }

    private static func removeFile(_ path: FilePath) throws {
        // The path lives as long as the call.
        guard unsafe unlink(path.string) == 0 else { throw Errno(rawValue: errno) }
    }
}
