/// A number of at most 18 digits and 18 decimals, in lowest terms: significand ÷ 10^decimals.
///
/// It is what the binary forms hold; ``ExactDecimal`` adds the numbers that need more.
package struct ScaledDecimal: Hashable, Sendable, BitwiseCopyable {
    /// The digits as an integer with the number's sign; it ends in no zero unless `decimals` is 0.
    package let significand: Int64

    /// How many of the digits are decimals, 0 … 18.
    package let decimals: UInt8

    /// The most digits behind the point.
    package static let maximumDecimals = 18
    /// 18 nines.
    package static let maximumMagnitude: UInt64 = 999_999_999_999_999_999
    /// Nothing.
    package static let zero = ScaledDecimal(significand: 0, decimals: 0)

    /// Creates magnitude ÷ 10^decimals in lowest terms, or returns `nil` if that needs more than
    /// 18 digits or decimals; a negative zero becomes zero.
    @inlinable
    package init?(magnitude: UInt64, decimals: Int, isNegative: Bool) {
        var magnitude = magnitude
        var decimals = decimals
        if magnitude == 0 {
            decimals = 0
        }
        while decimals > 0, magnitude % 10 == 0 {
            magnitude /= 10
            decimals -= 1
        }
        if decimals < 0 {
            guard decimals >= -Self.maximumDecimals else { return nil }
            let scaled = magnitude.multipliedReportingOverflow(
                by: PowersOfTen.integers[-decimals]
            )
            guard !scaled.overflow else { return nil }
            magnitude = scaled.partialValue
            decimals = 0
        }
        guard decimals <= Self.maximumDecimals, magnitude <= Self.maximumMagnitude else {
            return nil
        }
        self.init(
            significand: isNegative ? -Int64(magnitude) : Int64(magnitude),
            decimals: UInt8(decimals)
        )
    }

    /// Creates a number from parts that are known to be in lowest terms.
    @inlinable
    init(significand: Int64, decimals: UInt8) {
        self.significand = significand
        self.decimals = decimals
    }

    /// Returns the number in units of 10^−places, or `nil` if it is no whole number of them.
    @inlinable @inline(__always)
    package func units(places: UInt8) -> Int64? {
        guard decimals <= places else { return nil }
        let scaled = significand.multipliedReportingOverflow(
            by: Int64(PowersOfTen.integers[Int(places - decimals)])
        )
        return scaled.overflow ? nil : scaled.partialValue
    }

    /// The nearest `Double`.
    package var doubleValue: Double {
        // Both operands are exact below 2⁵³, so the one rounding is the division's (Clinger 1990).
        guard significand.magnitude >= 1 << 53 else {
            return Double(significand) / PowersOfTen.doubles[Int(decimals)]
        }
        return Double(description) ?? .nan
    }
}

extension ScaledDecimal: CustomStringConvertible {
    /// The number in plain decimal digits, as few as possible.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the number in plain decimal digits, as few as possible.
    package func append(to bytes: inout [UInt8]) {
        FixedPoint.append(significand, decimals: Int(decimals), to: &bytes)
    }
}

/// Powers of ten that their types hold exactly.
package enum PowersOfTen {
    /// 10⁰ … 10¹⁸.
    package static let integers: InlineArray<19, UInt64> = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000,
    ]

    /// 10⁰ … 10¹⁸.
    package static let doubles: InlineArray<19, Double> = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]
}
