internal import CCrypto

/// SHA-256 as the log uses it; the work is done by libcrypto.
///
/// `SHA256_Init`, `_Update` and `_Final` are measured at a third of the cost of a fetched digest
/// for messages as short as ours.
package enum SHA256 {
    /// Returns the digest of `message`.
    package static func digest(_ message: Span<UInt8>) -> Digest {
        var context = SHA256_CTX()
        // libcrypto gets a pointer to a value of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        update(&context, message)
        return finish(&context)
    }

    /// Returns the hash of a leaf of the tree: SHA-256(0x00 ‖ entry), RFC 6962 §2.1.
    package static func leaf(_ entry: Span<UInt8>) -> Digest {
        var context = SHA256_CTX()
        // libcrypto gets a pointer to a value of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        var prefix: UInt8 = 0x00
        unsafe SHA256_Update(&context, &prefix, 1)
        update(&context, entry)
        return finish(&context)
    }

    /// Returns the hash of an inner node: SHA-256(0x01 ‖ left ‖ right), RFC 6962 §2.1.
    package static func node(_ left: Digest, _ right: Digest) -> Digest {
        var context = SHA256_CTX()
        // libcrypto gets a pointer to a value of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        var prefix: UInt8 = 0x01
        unsafe SHA256_Update(&context, &prefix, 1)
        update(&context, left.bytes.span)
        update(&context, right.bytes.span)
        return finish(&context)
    }

    private static func update(_ context: inout SHA256_CTX, _ bytes: Span<UInt8>) {
        // The pointer lives as long as the call, and libcrypto keeps none.
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
        }
    }

    private static func finish(_ context: inout SHA256_CTX) -> Digest {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var span = bytes.mutableSpan
        // `bytes` has exactly the 32 bytes that SHA256_Final writes.
        unsafe span.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe SHA256_Final(buffer.baseAddress, &context)
        }
        return Digest(bytes: bytes)
    }
}
