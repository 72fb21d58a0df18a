import Glibc
import SystemPackage

/// A file that is being written for the first time, readable by its owner only, in large pieces.
struct NewFile: ~Copyable {
    private static let bufferByteCount = 1 << 18

    private let descriptor: FileDescriptor
    private var bytes: [UInt8] = []

    /// Creates the file; nothing may be at the path.
    init(at path: FilePath) throws {
        descriptor = try DurableFile.create(path)
    }

    deinit {
        // Closed with `finish()` if it was to be complete; else nobody will read it.
        try? descriptor.close()
    }

    /// Appends bytes.
    mutating func write(_ more: [UInt8]) throws {
        bytes.append(contentsOf: more)
        if bytes.count >= Self.bufferByteCount { try flush() }
    }

    /// Waits until everything is on disk.
    ///
    /// The corresponding C function is `fsync`.
    mutating func finish() throws {
        try flush()
        guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    private mutating func flush() throws {
        defer { bytes.removeAll(keepingCapacity: true) }
        try descriptor.writeAll(bytes)
    }
}
