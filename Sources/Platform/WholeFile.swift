package import SystemPackage

/// Files that are read in one piece.
package enum WholeFile {
    /// Returns the bytes of a regular file.
    ///
    /// - Throws: `Errno`; `.fileTooLarge` if it has more than `maximumByteCount` bytes.
    package static func read(_ path: FilePath, maximumByteCount: Int) throws -> [UInt8] {
        let stream = try InputStream(at: path)
        var bytes: [UInt8] = []
        var count = 0
        while true {
            let added = try stream.read(into: &bytes, from: count)
            guard added > 0 else { return Array(bytes.prefix(count)) }
            count += added
            guard count <= maximumByteCount else { throw Errno.fileTooLarge }
        }
    }
}
