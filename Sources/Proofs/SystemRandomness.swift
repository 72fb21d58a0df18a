internal import CCrypto

/// The randomness of the operating system.
package enum SystemRandomness {
    /// As many bytes as no signal interrupts.
    private static let uninterruptedByteCount = 256

    /// Fills all words with random bits.
    ///
    /// The corresponding C function is `getrandom`.
    package static func fill(_ words: inout [UInt64]) {
        // It writes no more bytes than it is told that there is room for.
        unsafe words.withUnsafeMutableBytes { buffer in
            var most = buffer.count
            var filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = unsafe getrandom(rest.baseAddress, min(rest.count, most), 0)
                if count > 0 {
                    filled += count
                } else {
                    precondition(most > uninterruptedByteCount, "the system gives no randomness")
                    most = uninterruptedByteCount
                }
            }
        }
    }
}
