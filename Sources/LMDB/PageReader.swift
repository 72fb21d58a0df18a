internal import SystemPackage

/// Reads a data file without LMDB and without mapping it, so that a short file cannot harm.
struct PageReader {
    /// The data file.
    let descriptor: FileDescriptor

    /// Where it is.
    let path: FilePath

    /// Reads up to `count` bytes; fewer only at the end of the file.
    func bytes(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
        // The buffer is filled from its start, by as many bytes as are counted.
        try LMDBError.system("pread", path) {
            unsafe try [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
                let room = UnsafeMutableRawBufferPointer(buffer)
                while read < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[read...])
                    let now = unsafe try descriptor.read(
                        fromAbsoluteOffset: Int64(offset + read),
                        into: rest
                    )
                    if now == 0 { break }
                    read += now
                }
            }
        }
    }
}
