import Glibc
package import SystemPackage

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
