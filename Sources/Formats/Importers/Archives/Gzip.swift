import CZlib

extension [UInt8] {
    /// The bytes as gzip compresses them (RFC 1952), as small as zlib can make them.
    ///
    /// Neither a name nor a time stands in it: the same bytes become the same.
    package var gzipped: [UInt8] {
        // Windows of any size, with the header and checksum of gzip.
        let gzipWindowBits: CInt = 15 + 16
        // An empty stream refers to no memory yet.
        var stream = unsafe z_stream()
        // The state does not move while it is used. It fails only if memory is exhausted.
        return unsafe withUnsafeMutablePointer(to: &stream) { stream in
            let begun = unsafe ledger_deflateInit2(stream, Z_BEST_COMPRESSION, gzipWindowBits)
            precondition(begun == Z_OK, "zlib has memory for its state")
            defer { unsafe deflateEnd(stream) }
            let most = Int(unsafe deflateBound(stream, CUnsignedLong(count)))
            return unsafe [UInt8](unsafeUninitializedCapacity: most) { output, filled in
                filled = unsafe withUnsafeBufferPointer { input in
                    // zlib reads the input and does not change it.
                    unsafe stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress
                    )
                    unsafe stream.pointee.avail_in = CUnsignedInt(input.count)
                    unsafe stream.pointee.next_out = output.baseAddress
                    unsafe stream.pointee.avail_out = CUnsignedInt(most)
                    let status = unsafe deflate(stream, Z_FINISH)
                    precondition(status == Z_STREAM_END, "there is room for all of it")
                    return most - Int(unsafe stream.pointee.avail_out)
                }
            }
        }
    }
}
