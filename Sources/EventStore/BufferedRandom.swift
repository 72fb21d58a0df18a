internal import Glibc

/// A cryptographic generator that asks the system for 256 bytes at a time: nonces for ten thousand
/// entries cost three hundred calls, not ten thousand.
///
/// It does without libcrypto's generator, which reads a configuration and seeds itself first: that
/// takes longer than storing one event.
package struct BufferedRandom: RandomNumberGenerator, Sendable {
    /// As much as the system gives at once.
    private static let wordCount = 32

    private var words: [UInt64] = []

    /// Creates a generator.
    package init() {}

    /// Returns the next 64 bits.
    ///
    /// The corresponding C function is `getentropy`.
    package mutating func next() -> UInt64 {
        if let word = words.popLast() { return word }
        if words.capacity == 0 { words.reserveCapacity(Self.wordCount) }
        words.append(contentsOf: repeatElement(0, count: Self.wordCount))
        // It writes exactly the buffer's bytes.
        let status = unsafe words.withUnsafeMutableBytes { buffer in
            unsafe getentropy(buffer.baseAddress, buffer.count)
        }
        precondition(status == 0, "the system has no randomness to give")
        return words.removeLast()
    }
}
