internal import CCrypto

/// The SHA-256 of bytes that come in pieces, such as a file's.
package struct SHA256Stream {
    private var context = SHA256_CTX()

    /// Begins with no bytes.
    package init() {
        // libcrypto gets a pointer to a value of ours for the length of the call, and keeps none.
        unsafe SHA256_Init(&context)
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        // libcrypto gets pointers to values of ours for the length of the call, and keeps none.
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// Returns the digest of all bytes so far.
    package consuming func finish() -> Digest {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        // `bytes` has exactly the 32 bytes that SHA256_Final writes.
        unsafe span.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe SHA256_Final(buffer.baseAddress, &context)
        }
        return Digest(bytes: bytes)
    }
}
