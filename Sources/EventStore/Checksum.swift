internal import CChecksum

/// CRC32C, the checksum of blocks and views: it tells damage apart from tampering, and finds it
/// fast.
package enum Checksum {
    /// Returns the CRC32C of `bytes` (RFC 3720 §12.1).
    package static func crc32c(_ bytes: Span<UInt8>) -> UInt32 {
        // The pointer lives as long as the call.
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe cchecksum_crc32c(buffer.baseAddress, buffer.count)
        }
    }
}
