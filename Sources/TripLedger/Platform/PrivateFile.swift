import SystemPackage

/// Small files that only their owner may read.
enum PrivateFile {
    /// Reads a file that is no symbolic link and has at most so many bytes.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if there is more.
    static func read(_ path: FilePath, maximumByteCount: Int) throws -> [UInt8] {
        let descriptor = try FileDescriptor.open(
            path,
            .readOnly,
            options: [.closeOnExec, .noFollow]
        )
        // Nothing was written through it, so there is nothing that closing could lose.
        defer { try? descriptor.close() }
        return try read(descriptor, maximumByteCount: maximumByteCount)
    }

    /// Reads what a descriptor has left, at most so many bytes.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if there is more.
    static func read(_ descriptor: FileDescriptor, maximumByteCount: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let stream = InputStream(descriptor: descriptor, isOwned: false)
        var count = 0
        while true {
            let read = try stream.read(into: &bytes, from: count)
            guard read > 0 else { return Array(bytes[..<count]) }
            count += read
            guard count <= maximumByteCount else { throw Errno.fileTooLarge }
        }
    }

    /// Writes a file at a path where nothing may be yet; it appears complete or not at all.
    ///
    /// - Throws: `Errno`; `.fileExists` if there is something.
    static func create(_ bytes: [UInt8], at path: FilePath) throws {
        let temporary = path.appendingSuffix(".new")
        // What a run that was cut off has left has no meaning for anybody.
        if try Directory.holds(temporary) { try Directory.remove(temporary) }
        try DurableFile.write(bytes, to: temporary)
        do {
            try DurableFile.move(temporary, to: path, isReplacing: false)
        } catch {
            try Directory.remove(temporary)
            throw error
        }
    }
}
