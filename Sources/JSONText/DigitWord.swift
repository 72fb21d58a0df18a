/// The digits that eight bytes of a line begin with, read all at once: how many there are differs
/// from number to number, which a loop over them would have to guess.
package struct DigitWord {
    @usableFromInline
    static let tens: InlineArray<9, UInt64> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    ]

    /// How many of the eight bytes come before the first that is no digit.
    package let count: Int

    /// The digits as a number.
    @usableFromInline
    let value: UInt64

    /// Reads a little-endian word.
    ///
    /// Source: D. Lemire, "Quickly parsing eight digits" (2018): two digits become one number below
    /// a hundred, two of those one below ten thousand, and those the whole.
    @inlinable @inline(__always)
    package init(_ word: UInt64) {
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
    @inlinable @inline(__always)
    package func append(to magnitude: inout UInt64) {
        magnitude = magnitude &* Self.tens[count] &+ value
    }
}
