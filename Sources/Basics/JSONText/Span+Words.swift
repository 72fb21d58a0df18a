extension Span<UInt8> {
    /// Returns a copy of part of the bytes.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        [UInt8](capacity: range.count) { copy in
            for position in range { copy.append(self[position]) }
        }
    }

    /// Returns the little-endian number of the eight bytes at an offset.
    ///
    /// The bounds are checked once, so that the eight reads become two.
    @inlinable @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        let bytes = extracting(droppingFirst: offset).extracting(first: 8)
        precondition(bytes.count == 8, "the eight bytes must be there")
        let low =
            UInt64(bytes[0]) | UInt64(bytes[1]) << 8 | UInt64(bytes[2]) << 16
            | UInt64(bytes[3]) << 24
        let high =
            UInt64(bytes[4]) | UInt64(bytes[5]) << 8 | UInt64(bytes[6]) << 16
            | UInt64(bytes[7]) << 24
        return low | high << 32
    }
}

/// The digits that eight bytes of a line begin with, read all at once: their number varies, so the
/// processor would often mispredict the end of a loop over them.
struct DigitWord {
    private static let tens: InlineArray<9, UInt64> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// How many of the eight bytes come before the first that is no digit.
    let count: Int

    /// The digits as a number.
    private let value: UInt64

    /// Reads a little-endian word.
    ///
    /// Source: D. Lemire, "Quickly parsing eight digits" (2018): two digits become one number below
    /// a hundred, two of those one below ten thousand, and those the whole.
    @inline(__always)
    init(_ word: UInt64) {
        let digits = word ^ 0x3030_3030_3030_3030
        // A carry comes from a byte that is no digit, and goes only to those after it.
        let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
        count = others.trailingZeroBitCount >> 3
        // Zeros come before the digits, and what follows them falls out.
        var sum = digits << UInt64(64 - 8 * count)
        sum = sum &* 10 &+ sum >> 8
        sum = ((sum & 0x00FF_00FF_00FF_00FF) &* (1 + 100 << 16)) >> 16
        value = ((sum & 0x0000_FFFF_0000_FFFF) &* (1 + 10_000 << 32)) >> 32
    }

    /// Puts the digits behind those of a number; one of more than 19 digits becomes meaningless.
    @inline(__always)
    func append(to magnitude: inout UInt64) {
        magnitude = magnitude &* Self.tens[count] &+ value
    }
}

// Public, because only public declarations can be inlined into other modules.
/// Finds, eight bytes at a time, the bytes that a JSON string holds unescaped: ASCII other than
/// control characters, quotes and backslashes.
public enum PlainBytes {
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
    public static func count(in word: UInt64) -> Int {
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
    public static func prefix(_ word: UInt64, count: Int) -> UInt64 {
        // Swift's `<<` gives zero for a shift by all 64 bits.
        word & ~(UInt64.max << UInt64(8 * count))
    }
}
