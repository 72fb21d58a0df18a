internal import CCrypto

/// A cryptographic generator that asks libcrypto for 4 KiB at a time: nonces for ten thousand
/// entries cost twenty calls, not ten thousand.
package struct BufferedRandom: RandomNumberGenerator, Sendable {
    private static let wordCount = 512

    private var words: [UInt64] = []

    /// Creates a generator.
    package init() {}

    /// Returns the next 64 bits.
    package mutating func next() -> UInt64 {
        if let word = words.popLast() { return word }
        words = [UInt64](repeating: 0, count: Self.wordCount)
        // RAND_bytes writes exactly the buffer's bytes.
        let status = unsafe words.withUnsafeMutableBytes { buffer in
            unsafe RAND_bytes(buffer.baseAddress, Int32(buffer.count))
        }
        precondition(status == 1, "libcrypto has no randomness to give")
        return words.removeLast()
    }
}
