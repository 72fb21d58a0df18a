/// Where the value of a member stands in the line, and what is known of it from the one pass.
struct LineMember: BitwiseCopyable {
    /// What the value is.
    enum Kind: UInt8, BitwiseCopyable {
        case text
        case number
        case boolean
        case null

        /// A list or an object, kept as a tree.
        case tree
    }

    var kind = Kind.null

    /// Of a text, whether it has escapes; of a boolean, its value; of a number, whether it is
    /// negative.
    var flag = false

    /// Whether a number has at most 19 digits and no exponent.
    var isShort = false

    /// How many digits of a short number come after the point.
    var decimals: Int32 = 0

    /// Offset of the value's first byte; of a text the one after the quote.
    var start = 0

    /// Offset after the value's last byte; of a text that of the closing quote.
    var end = 0

    /// Of a short number, its digits as an integer; of a tree, its index.
    var magnitude: UInt64 = 0

    /// The column of the value, counted from 1.
    var column: Int { kind == .text ? start : start + 1 }

    /// A short number of at most 18 digits and 18 decimals, unless it is a negative zero.
    @inline(__always)
    var scaled: ScaledDecimal? {
        guard kind == .number, isShort, magnitude != 0 || !flag else { return nil }
        return ScaledDecimal(magnitude: magnitude, decimals: Int(decimals), isNegative: flag)
    }

    /// Returns a short number in units of 10^−places, or `nil` if it has more decimals, or is too
    /// large, or a negative zero.
    @inline(__always)
    func units(places: Int) -> Int64? {
        let missing = places - Int(decimals)
        guard kind == .number, isShort, missing >= 0, magnitude != 0 || !flag else { return nil }
        let scaled = magnitude.multipliedReportingOverflow(by: PowersOfTen.integers[missing])
        guard !scaled.overflow, let units = Int64(exactly: scaled.partialValue) else { return nil }
        return flag ? -units : units
    }

    /// A whole number that is written without point, sign or exponent.
    @inline(__always)
    var wholeNumber: UInt64? {
        kind == .number && isShort && decimals == 0 && !flag ? magnitude : nil
    }
}
