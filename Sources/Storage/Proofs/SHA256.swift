import CCrypto

/// SHA-256 as the log uses it; the work is done by libcrypto.
///
/// For messages as short as entries, `SHA256_Init`, `_Update` and `_Final` cost a third of a
/// fetched digest. Short messages are padded here (FIPS 180-4 §5.1.1) and passed on in whole
/// blocks, because libcrypto's own padding adds two fifths to the cost of hashing them.
package enum SHA256 {
    private static let blockByteCount = 64

    /// Bytes of the longest message that is padded here, in two blocks: a fix with a long id.
    private static let mostPaddedBytes = 2 * blockByteCount - 9

    /// Returns the digest of `message`.
    package static func digest(_ message: Span<UInt8>) -> Digest {
        guard message.count > mostPaddedBytes else { return digest(ofZeroBytes: 0, then: message) }
        var context = SHA256_CTX()
        // libcrypto gets a pointer to a value of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        update(&context, message)
        return finish(&context)
    }

    /// Returns the hash of a leaf of the tree: SHA-256(0x00 ‖ entry), RFC 6962 §2.1.
    package static func leaf(_ entry: Span<UInt8>) -> Digest {
        guard entry.count < mostPaddedBytes else { return longLeaf(entry) }
        return digest(ofZeroBytes: 1, then: entry)
    }

    /// Returns the hash of an inner node: SHA-256(0x01 ‖ left ‖ right), RFC 6962 §2.1.
    package static func node(_ left: Digest, _ right: Digest) -> Digest {
        let (left, right) = (left.words, right.words)
        // 65 bytes in words, the lowest byte of each first: every byte is one byte further on
        // than in the digests. The last word is the length, 520 bits, the highest byte first.
        let message: InlineArray<8, SIMD2<UInt64>> = [
            SIMD2(left[0] << 8 | 0x01, left[1] << 8 | left[0] >> 56),
            SIMD2(left[2] << 8 | left[1] >> 56, left[3] << 8 | left[2] >> 56),
            SIMD2(right[0] << 8 | left[3] >> 56, right[1] << 8 | right[0] >> 56),
            SIMD2(right[2] << 8 | right[1] >> 56, right[3] << 8 | right[2] >> 56),
            SIMD2(0x8000 | right[3] >> 56, 0), .zero, .zero, SIMD2(0, UInt64(520).byteSwapped),
        ]
        return digest(ofBlocks: 2, of: message)
    }

    private static func longLeaf(_ entry: Span<UInt8>) -> Digest {
        var context = SHA256_CTX()
        var prefix: UInt8 = 0x00
        // libcrypto gets a pointer to a value of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        unsafe SHA256_Update(&context, &prefix, 1)
        update(&context, entry)
        return finish(&context)
    }

    /// Returns the digest of a short message, which may begin with zero bytes.
    @inline(__always)
    private static func digest(ofZeroBytes start: Int, then rest: Span<UInt8>) -> Digest {
        let count = start + rest.count
        precondition(count <= mostPaddedBytes, "the message must be short")
        var message = InlineArray<128, UInt8>(repeating: 0)
        var span = message.mutableSpan
        // The bytes fit before the padding, as was checked.
        unsafe span.withUnsafeMutableBytes { target in
            unsafe rest.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...])
                    .copyMemory(from: source)
            }
        }
        message[count] = 0x80
        let blocks = (count + 8) / blockByteCount + 1
        message[blocks * blockByteCount - 2] = UInt8(truncatingIfNeeded: count >> 5)
        message[blocks * blockByteCount - 1] = UInt8(truncatingIfNeeded: count << 3)
        return digest(ofBlocks: blocks, of: message)
    }

    /// Returns the digest of a message that is padded to whole blocks, 64 bytes each.
    @inline(__always)
    private static func digest<Message>(ofBlocks count: Int, of message: Message) -> Digest {
        var context = SHA256_CTX()
        // libcrypto gets pointers to values of ours for the length of each call, and keeps none.
        unsafe SHA256_Init(&context)
        unsafe withUnsafeBytes(of: message) { bytes in
            precondition(count * blockByteCount <= bytes.count, "the blocks must be there")
            _ = unsafe SHA256_Update(&context, bytes.baseAddress, count * blockByteCount)
        }
        // The state after the last block is the digest (FIPS 180-4 §6.2.2).
        return Digest(state: context)
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

/// A SHA-256 digest: 32 bytes.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// The digest's bytes.
    package var bytes: InlineArray<32, UInt8>

    /// Creates a digest from its bytes.
    package init(bytes: InlineArray<32, UInt8>) {
        self.bytes = bytes
    }

    /// Creates a digest from 32 bytes, or returns `nil` if there are more or fewer.
    package init?(_ source: Span<UInt8>) {
        guard source.count == Self.byteCount else { return nil }
        bytes = InlineArray { source[$0] }
    }

    /// Creates a digest from 32 bytes, or returns `nil` if there are more or fewer.
    package init?(_ source: [UInt8]) {
        self.init(source.span)
    }

    /// Creates a digest from 64 lower-case hexadecimal digits, or returns `nil` if it is not that.
    package init?(hexadecimal text: String) {
        var bytes: [UInt8] = []
        for (index, character) in text.utf8.enumerated() {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            default: return nil
            }
            if index % 2 == 0 { bytes.append(digit << 4) } else { bytes[index / 2] |= digit }
        }
        guard text.utf8.count == 2 * Self.byteCount else { return nil }
        self.init(bytes)
    }

    /// The digest's bytes as an array.
    package var array: [UInt8] {
        bytes.indices.map { bytes[$0] }
    }

    /// The first eight bytes, the first one highest, so that numbers compare as bytes do.
    package var firstWord: UInt64 {
        word(at: 0)
    }

    /// The eight bytes that start at byte `8 * index`, the first one highest.
    package func word(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        for offset in 0..<8 {
            word = word << 8 | UInt64(bytes[8 * index + offset])
        }
        return word
    }

    /// The digest as 64 lower-case hexadecimal digits.
    package var description: String {
        var text = ""
        for index in bytes.indices {
            text.append(Self.hexadecimal(bytes[index] >> 4))
            text.append(Self.hexadecimal(bytes[index] & 15))
        }
        return text
    }

    /// Returns whether two digests are the same.
    package static func == (left: Digest, right: Digest) -> Bool {
        left.bytes.indices.allSatisfy { left.bytes[$0] == right.bytes[$0] }
    }

    /// Feeds the first word to a hasher: it is as random as any hash.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(firstWord)
    }

    private static func hexadecimal(_ digit: UInt8) -> Character {
        Character(UnicodeScalar(digit < 10 ? 48 + digit : 87 + digit))
    }
}

extension Digest {
    /// Reads the digest from libcrypto's eight words, the highest byte of each first.
    @inline(__always)
    fileprivate init(state: SHA256_CTX) {
        let words = state.h
        let pairs: InlineArray<4, UInt64> = [
            Self.pair(words.0, words.1), Self.pair(words.2, words.3),
            Self.pair(words.4, words.5), Self.pair(words.6, words.7),
        ]
        // Both are 32 bytes of integers, for which every bit pattern is valid.
        self.init(bytes: unsafe unsafeBitCast(pairs, to: InlineArray<32, UInt8>.self))
    }

    /// The bytes in words, the lowest byte of each first.
    @inline(__always)
    fileprivate var words: InlineArray<4, UInt64> {
        // Both are 32 bytes of integers, for which every bit pattern is valid.
        let stored = unsafe unsafeBitCast(bytes, to: InlineArray<4, UInt64>.self)
        return InlineArray { UInt64(littleEndian: stored[$0]) }
    }

    /// Returns the number whose bytes in memory are those of two words, the highest first.
    @inline(__always)
    private static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 {
        (UInt64(first) << 32 | UInt64(second)).bigEndian
    }
}

/// The SHA-256 of bytes that come in pieces, such as a file's.
package struct SHA256Stream {
    private var context = SHA256_CTX()

    /// Creates the digest of no bytes.
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

extension SHA256 {
    /// Returns the code that authenticates a message to those who know a key: HMAC, RFC 2104.
    package static func code(of message: [UInt8], key: [UInt8]) -> Digest {
        let short = key.count > blockByteCount ? digest(key.span).array : key
        let block = short + [UInt8](repeating: 0, count: blockByteCount - short.count)
        let inner = block.map { $0 ^ 0x36 } + message
        let outer = block.map { $0 ^ 0x5c } + digest(inner.span).array
        return digest(outer.span)
    }
}
