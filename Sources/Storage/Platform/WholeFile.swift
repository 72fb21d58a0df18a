package import SystemPackage

/// Files that are read in one piece.
package enum WholeFile {
    /// Returns the bytes of a regular file.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if it has more than `maximumByteCount` bytes,
    ///   `.invalidArgument` if it is no file.
    package static func read(_ path: FilePath, maximumByteCount: Int) throws -> [UInt8] {
        try InputStream(atFile: path).readAll(maximumByteCount: maximumByteCount)
    }
}

/// Small files that only their owner may read.
package enum PrivateFile {
    /// Opens a path without waiting for a writer.
    ///
    /// Only a pipe without a writer would make it wait.
    package static func open(_ path: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
    }

    /// Reads a file that is no symbolic link, pipe or device and has at most so many bytes.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if there is more, `.invalidArgument` if it is no file.
    package static func read(_ path: FilePath, maximumByteCount: Int) throws -> [UInt8] {
        let descriptor = try open(path)
        // Nothing was written through it, so there is nothing that closing could lose.
        defer { try? descriptor.close() }
        guard try Stat(descriptor).type == .regular else { throw Errno.invalidArgument }
        return try read(descriptor, maximumByteCount: maximumByteCount)
    }

    /// Reads what a descriptor has left, at most so many bytes.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if there is more.
    package static func read(_ descriptor: FileDescriptor, maximumByteCount: Int) throws -> [UInt8]
    {
        try InputStream(descriptor: descriptor, isOwned: false)
            .readAll(maximumByteCount: maximumByteCount)
    }
}

extension InputStream {
    /// Reads to the end.
    ///
    /// A file that is longer is not read at all.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if there are more than `maximumByteCount` bytes.
    fileprivate func readAll(maximumByteCount: Int) throws -> [UInt8] {
        guard fileByteCount ?? 0 <= Int64(maximumByteCount) else { throw Errno.fileTooLarge }
        var bytes: [UInt8] = []
        var count = 0
        while true {
            let added = try read(into: &bytes, from: count)
            guard added > 0 else { return Array(bytes.prefix(count)) }
            count += added
            guard count <= maximumByteCount else { throw Errno.fileTooLarge }
        }
    }
}

/// Tells a file from every other one, by whatever path it was reached.
package struct FileIdentity: Equatable, Sendable {
    private let device: DeviceID
    private let inode: Inode

    /// Its number, which no other file of its file system has as long as it is open.
    package var number: UInt64 { UInt64(inode.rawValue) }

    /// Creates the identity of the file that a status was read from.
    package init(_ status: Stat) {
        device = status.deviceID
        inode = status.inode
    }

    /// Returns the identity of an open file.
    ///
    /// The corresponding C function is `fstat`.
    package static func of(_ descriptor: FileDescriptor) throws(Errno) -> FileIdentity {
        FileIdentity(try Stat(descriptor))
    }

    /// Returns the identity of what stands at a path, without following a symbolic link there.
    ///
    /// The corresponding C function is `lstat`.
    package static func at(_ path: FilePath) throws(Errno) -> FileIdentity {
        FileIdentity(try Stat(path, followTargetSymlink: false))
    }
}
