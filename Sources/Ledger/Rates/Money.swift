public import Geodesy
public import TripEvents

/// An amount of money in whole hundredths of its currency.
public struct Money: Hashable, Sendable, AdditiveArithmetic {
    /// The hundredths.
    public let hundredths: Int64

    init(hundredths: Int64) {
        self.hundredths = hundredths
    }

    /// No money.
    public static let zero = Money(hundredths: 0)

    /// Rounds an amount to hundredths, half away from zero; `nil` if it has more digits than are
    /// computed with exactly.
    ///
    /// - Parameter amount: the amount, not negative.
    public init?(rounding amount: ExactDecimal) {
        guard amount.scaled != nil else { return nil }
        let fraction = Fraction(amount)
        let twice = 200 * fraction.numerator + fraction.denominator
        guard let hundredths = Int64(exactly: twice / (2 * fraction.denominator)) else {
            return nil
        }
        self.init(hundredths: hundredths)
    }

    /// Rounds millionths × rate to hundredths, half away from zero.
    ///
    /// - Parameters:
    ///   - millionths: millionths of what is paid for, not negative and below 10¹².
    ///   - rate: the money for one of it.
    init(rounding millionths: Int64, times rate: ExactDecimal) {
        let rate = Fraction(rate)
        let denominator = rate.denominator * 10_000
        let numerator = Int128(millionths) * rate.numerator
        self.init(hundredths: Int64((2 * numerator + denominator) / (2 * denominator)))
    }

    /// Divides the amount as a distance is divided.
    ///
    /// - Parameters:
    ///   - part: the distance, not negative.
    ///   - whole: the whole distance, not less than the part.
    /// - Returns: the share of the part, rounded half away from zero; zero if the whole is zero.
    public func share(_ part: Distance, of whole: Distance) -> Money {
        guard whole > .zero else { return .zero }
        let twice = 2 * Int128(hundredths) * Int128(part.millimeters) + Int128(whole.millimeters)
        return Money(hundredths: Int64(twice / (2 * Int128(whole.millimeters))))
    }

    /// Adds two amounts of one currency.
    public static func + (left: Money, right: Money) -> Money {
        Money(hundredths: left.hundredths + right.hundredths)
    }

    /// Subtracts an amount of the same currency.
    public static func - (left: Money, right: Money) -> Money {
        Money(hundredths: left.hundredths - right.hundredths)
    }
}

extension RateTier {
    /// Returns (distance × rate + constant) × multiplier, computed exactly and rounded once to
    /// hundredths, half away from zero.
    ///
    /// - Parameters:
    ///   - distance: the distance, not negative.
    ///   - unit: what the rate is paid for.
    ///   - multiplier: by what it is multiplied at the end; `nil` for 1.
    /// - Returns: the amount; no constant is paid for no distance.
    func amount(
        for distance: Distance,
        per unit: DistanceUnit,
        times multiplier: ExactDecimal? = nil
    ) -> Money {
        guard distance > .zero else { return .zero }
        // The limits of a table keep every product below 10³⁸; Int128 ends at 1.7 × 10³⁸.
        let rate = Fraction(rate)
        let times = multiplier.map(Fraction.init) ?? Fraction(1)
        let perUnit = Int128(unit.millimeters) * rate.denominator
        let constant = Int128(plus.units(places: 2) ?? 0) * perUnit
        let hundredths = Int128(distance.millimeters) * rate.numerator * 100 + constant
        let numerator = hundredths * times.numerator
        let denominator = perUnit * times.denominator
        return Money(hundredths: Int64((2 * numerator + denominator) / (2 * denominator)))
    }
}

/// A decimal as a fraction of whole numbers.
private struct Fraction {
    let numerator: Int128
    let denominator: Int128

    init(_ decimal: ExactDecimal) {
        // A figure of a table has at most 18 digits.
        numerator = Int128(decimal.scaled?.significand ?? 0)
        denominator = (0..<(decimal.scaled?.decimals ?? 0)).reduce(1) { power, _ in power * 10 }
    }
}

extension DistanceUnit {
    /// How many millimetres it has.
    package var millimeters: Int64 {
        switch self {
        case .kilometers: 1_000_000
        case .miles: 1_609_344
        }
    }
}
