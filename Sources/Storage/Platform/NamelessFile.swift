import Glibc
package import SystemPackage

/// A temporary file without a name, which is gone when nothing refers to it any more.
///
/// Unlike a pipe, it takes all bytes at once, whether or not they are read.
package final class NamelessFile: Sendable {
    /// The open file.
    package let descriptor: FileDescriptor

    /// Makes a file, to be read from its beginning.
    ///
    /// - Parameter bytes: What it holds.
    /// - Throws: `Errno`.
    package init(holding bytes: [UInt8] = []) throws {
        let name = "ledger-\(UInt64.random(in: 0 ... .max))"
        let path = Directory.temporary.appending(name)
        descriptor = try FileDescriptor.open(
            path,
            .readWrite,
            options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
            permissions: [.ownerRead, .ownerWrite]
        )
        try Directory.remove(path)
        try descriptor.writeAll(bytes)
        try descriptor.seek(offset: 0, from: .start)
    }

    deinit {
        // Nothing else needs what was written through it.
        try? descriptor.close()
    }

    /// How many bytes it has.
    ///
    /// - Throws: `Errno`.
    package var byteCount: Int { get throws { Int(clamping: try Stat(descriptor).size) } }

    /// Reads some of its bytes, independently of where other processes that have it open are
    /// reading.
    ///
    /// The corresponding C function is `pread`.
    ///
    /// - Parameters:
    ///   - offset: Where to begin.
    ///   - count: The most bytes.
    /// - Returns: The bytes; none at its end.
    /// - Throws: `Errno`.
    package func bytes(from offset: Int, atMost count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // The system writes at most as many bytes as the buffer has.
        let read = unsafe try bytes.withUnsafeMutableBytes { buffer in
            unsafe try descriptor.read(fromAbsoluteOffset: Int64(offset), into: buffer)
        }
        return Array(bytes[..<read])
    }
}
