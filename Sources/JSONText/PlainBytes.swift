/// Tells, eight bytes at a time, which of them stand for themselves in a JSON string: ASCII that is
/// no control character, quote or backslash.
package enum PlainBytes {
    @usableFromInline
    static let ones: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns how many of the eight bytes of a little-endian word come before the first that is
    /// not plain; 8 if all are.
    ///
    /// Source: H. S. Warren, "Hacker's Delight", §6.1: a borrow can only make bytes above the first
    /// that is found look like one, and they do not count.
    @inlinable @inline(__always)
    package static func count(in word: UInt64) -> Int {
        let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let found =
            word
            | (quote &- ones) & ~quote
            | (backslash &- ones) & ~backslash
            | (word &- ones &* 0x20) & ~word
        return (found & highBits).trailingZeroBitCount >> 3
    }

    /// Returns the lowest bytes of a word.
    @inlinable @inline(__always)
    package static func prefix(_ word: UInt64, count: Int) -> UInt64 {
        // A smart shift: by 64 it leaves nothing.
        word & ~(UInt64.max << UInt64(8 * count))
    }
}
