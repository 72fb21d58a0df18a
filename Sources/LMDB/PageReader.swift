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

extension RawSpan {
    /// Reads a number in the machine's byte order, as LMDB writes it, or 0 if it is not all there.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Number.Type
    ) -> Number {
        guard offset >= 0, offset <= byteCount - MemoryLayout<Number>.size else { return 0 }
        // Any bits make a number, and the line above keeps within the bounds.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}
