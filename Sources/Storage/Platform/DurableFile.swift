import CPlatform
import Glibc
package import SystemPackage

/// Files that are on disk when a function returns, and that only their owner may read.
package enum DurableFile {
    private static let chunkByteCount = 1 << 20
    private static let permissions: FilePermissions = [.ownerRead, .ownerWrite]

    /// Creates an empty file for writing; nothing may be there.
    package static func create(_ path: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(
            path,
            .writeOnly,
            options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: permissions
        )
    }

    /// Creates a file with these bytes; nothing may be there.
    package static func write(_ bytes: [UInt8], to path: FilePath) throws {
        try fill(path, with: bytes)
        try synchronizeDirectory(of: path)
    }

    /// Puts a file with these bytes in place of the one that is there.
    package static func replace(_ path: FilePath, with bytes: [UInt8]) throws {
        try put(bytes, at: path, isReplacing: true)
    }

    /// Writes a file that appears complete or not at all, and removes what a killed process left
    /// behind on its way to this name.
    ///
    /// - Throws: `Errno`; `.fileExists` if there is something and it is not to be replaced.
    package static func put(_ bytes: [UInt8], at path: FilePath, isReplacing: Bool) throws {
        let (temporary, descriptor) = try Unfinished.create(beside: path)
        defer { try? descriptor.close() }
        do {
            try descriptor.writeAll(bytes)
            try synchronize(descriptor)
            try move(temporary, to: path, isReplacing: isReplacing)
        } catch {
            try? Directory.remove(temporary)
            throw error
        }
    }

    /// Adds a line at the end of a file, which is made if it is not there.
    package static func append(line: [UInt8], to path: FilePath) throws {
        let isNew = try !Directory.holds(path)
        let descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .append, .noFollow, .closeOnExec],
            permissions: permissions
        )
        defer { try? descriptor.close() }
        let end = [UInt8(ascii: "\n")]
        // A line that was cut off MUST NOT take this one with it.
        try descriptor.writeAll((try isAtLineStart(descriptor) ? [] : end) + line + end)
        try synchronize(descriptor)
        if isNew { try synchronizeDirectory(of: path) }
    }

    /// Returns whether a file is empty or ends with a line feed.
    private static func isAtLineStart(_ descriptor: FileDescriptor) throws -> Bool {
        let size = try Stat(descriptor).size
        guard size > 0 else { return true }
        var last = [UInt8(0)]
        // The system writes at most as many bytes as the buffer has.
        _ = try unsafe last.withUnsafeMutableBytes {
            try unsafe descriptor.read(fromAbsoluteOffset: size - 1, into: $0)
        }
        return last[0] == UInt8(ascii: "\n")
    }

    /// Copies a file to a path where nothing is, and forgets what the system keeps of the copy, so
    /// that the next reader reads what is on disk.
    ///
    /// Stretches of zeros take no room in the copy.
    ///
    /// - Parameters:
    ///   - source: A file, or a pipe.
    ///   - destination: Where to.
    ///   - check: Gets the first bytes that were read, and throws if they are not to be copied.
    /// - Throws: `Errno`, and what `check` throws.
    package static func copy(
        _ source: FilePath,
        to destination: FilePath,
        checkingStart check: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        let reader = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec])
        defer { try? reader.close() }
        let writer = try create(destination)
        defer { try? writer.close() }
        var byteCount: Int64 = 0
        try forEachChunk(of: reader) { chunk in
            if byteCount == 0 { try check(chunk) }
            if chunk.contains(where: { $0 != 0 }) {
                _ = try writer.writeAll(toAbsoluteOffset: byteCount, chunk)
            }
            byteCount += Int64(chunk.count)
            byteCount = try skipHole(in: reader, at: byteCount)
        }
        try writer.resize(to: byteCount)
        try settle(writer)
        try synchronizeDirectory(of: destination)
    }

    /// Makes what was written durable and drops it from memory.
    ///
    /// The corresponding C functions are `fsync` and `posix_fadvise`.
    package static func settle(_ descriptor: FileDescriptor) throws {
        try synchronize(descriptor)
        // Only advice: if the system does not take it, memory is read instead of the disk.
        _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Renames a file or directory durably.
    ///
    /// The corresponding C function is `rename`.
    ///
    /// - Throws: `Errno`; `.fileExists` if there is something and it is not to be replaced.
    package static func move(_ path: FilePath, to destination: FilePath, isReplacing: Bool) throws {
        if isReplacing {
            try rename(path, to: destination)
        } else {
            try renameWithoutReplacing(path, to: destination)
        }
        try synchronizeDirectory(of: destination)
    }

    private static func rename(_ path: FilePath, to destination: FilePath) throws {
        // The paths live as long as the call.
        guard unsafe Glibc.rename(path.string, destination.string) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    private static func renameWithoutReplacing(
        _ path: FilePath,
        to destination: FilePath
    ) throws {
        do {
            try AtomicRename.move(path, to: destination)
        } catch .invalidArgument {
            // This file system cannot do both in one step.
            guard try !Directory.holds(destination) else { throw Errno.fileExists }
            try rename(path, to: destination)
        }
    }

    /// Makes a directory durable, with all directories below it; its files MUST be already.
    package static func synchronizeTree(_ directory: FilePath) throws {
        for name in try Directory.names(in: directory) {
            let path = directory.appending(name)
            if try Stat(path, followTargetSymlink: false).type == .directory {
                try synchronizeTree(path)
            }
        }
        try synchronizeNames(in: directory)
    }

    /// Makes all that was written to the file system of a directory durable, at once: for many
    /// small files that costs much less than one by one.
    ///
    /// The corresponding C function is `syncfs`.
    package static func synchronizeFileSystem(of directory: FilePath) throws {
        let descriptor = try FileDescriptor.open(
            directory,
            .readOnly,
            options: [.closeOnExec, .directory]
        )
        defer { try? descriptor.close() }
        guard syncfs(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Makes the names in the directory of a path durable.
    package static func synchronizeDirectory(of path: FilePath) throws {
        let parent = path.removingLastComponent()
        try synchronizeNames(in: parent.isEmpty ? "." : parent)
    }

    private static func synchronizeNames(in directory: FilePath) throws {
        let descriptor = try FileDescriptor.open(
            directory,
            .readOnly,
            options: [.closeOnExec, .directory]
        )
        defer { try? descriptor.close() }
        try synchronize(descriptor)
    }

    /// Hands over the bytes of a file in pieces.
    package static func forEachChunk(
        of path: FilePath,
        _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        let reader = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        defer { try? reader.close() }
        try forEachChunk(of: reader, body)
    }

    /// Goes on where the next bytes stand, or at the end if there are none: holes are not read.
    ///
    /// - Returns: The offset from which the descriptor is read next.
    private static func skipHole(in reader: FileDescriptor, at offset: Int64) throws -> Int64 {
        let status = try Stat(reader)
        guard status.type == .regular, offset < status.size else { return offset }
        let next = FileHoles.nextData(in: reader, from: offset) ?? status.size
        return try reader.seek(offset: next, from: .start)
    }

    private static func forEachChunk(
        of reader: FileDescriptor,
        _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var buffer = [UInt8](repeating: 0, count: chunkByteCount)
        while true {
            // The system writes at most as many bytes as the buffer has.
            let count = unsafe try buffer.withUnsafeMutableBytes {
                unsafe try reader.read(into: $0)
            }
            if count == 0 { return }
            try body(buffer[..<count])
        }
    }

    private static func fill(_ path: FilePath, with bytes: [UInt8]) throws {
        let descriptor = try create(path)
        defer { try? descriptor.close() }
        try descriptor.writeAll(bytes)
        try synchronize(descriptor)
    }

    private static func synchronize(_ descriptor: FileDescriptor) throws {
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}

extension FilePath {
    /// The same path with a suffix on its last component.
    package func appendingSuffix(_ suffix: String) -> FilePath {
        FilePath(string + suffix)
    }

    /// A name beside this one that no other process uses, for what takes its place when it is
    /// complete: what stands under any other name is not ours to remove.
    package var besideUntilComplete: FilePath {
        FilePath(Unfinished.name(of: string))
    }
}

/// A file that is being written for the first time, readable by its owner only, in large pieces.
package struct NewFile: ~Copyable {
    private static let bufferByteCount = 1 << 18

    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []

    /// Creates the file; nothing may be at the path.
    package init(at path: FilePath) throws {
        descriptor = try DurableFile.create(path)
    }

    deinit {
        // Closed with `finish()` if it is complete; an incomplete file is never read.
        try? descriptor.close()
    }

    /// Appends bytes.
    package mutating func write(_ more: [UInt8]) throws {
        bytes.append(contentsOf: more)
        if bytes.count >= Self.bufferByteCount { try flush() }
    }

    /// Hands everything to the system, which may keep it in memory for a while: it is on disk after
    /// ``DurableFile/synchronizeFileSystem(of:)``.
    package mutating func handOver() throws {
        try flush()
    }

    /// Waits until everything is on disk.
    ///
    /// The corresponding C function is `fsync`.
    package mutating func finish() throws {
        try flush()
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    private mutating func flush() throws {
        defer { bytes.removeAll(keepingCapacity: true) }
        try descriptor.writeAll(bytes)
    }
}

/// Renaming that plain renaming cannot do in one step: two paths at once, or only if nothing is
/// there.
///
/// Not every file system can; these functions throw `.invalidArgument` then.
package enum AtomicRename {
    private static let noReplaceFlag: UInt32 = 1 << 0
    private static let exchangeFlag: UInt32 = 1 << 1

    /// Gives a file or directory another name, which nothing may have.
    ///
    /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`.
    ///
    /// - Throws: `.fileExists` if something has that name.
    package static func move(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try rename(path, destination, noReplaceFlag)
    }

    /// Puts two files or directories in the place of one another.
    ///
    /// The corresponding C function is `renameat2` with `RENAME_EXCHANGE`.
    package static func exchange(_ path: FilePath, with other: FilePath) throws(Errno) {
        try rename(path, other, exchangeFlag)
    }

    private static func rename(
        _ path: FilePath,
        _ other: FilePath,
        _ flag: UInt32
    ) throws(Errno) {
        // The paths live as long as the call.
        let status = unsafe renameat2(AT_FDCWD, path.string, AT_FDCWD, other.string, flag)
        guard status != 0 else { return }
        throw errno == ENOSYS ? .invalidArgument : Errno(rawValue: errno)
    }
}
