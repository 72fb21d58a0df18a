/// A number exactly as its JSON text gives it, without the zeros that change nothing.
///
/// 12.5, 12.50 and 125e-1 are one value; 0.1 is a tenth and not the `Double` near it.
public struct ExactDecimal: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case scaled(ScaledDecimal)

        /// Plain decimal digits, for numbers of more than 18 digits or decimals.
        case text(String)
    }

    /// How long the plain decimal text of a number may be: enough for every `Double`.
    package static let maximumTextLength = 400

    private let storage: Storage

    /// Creates an integer, or returns `nil` if it has more than 18 digits.
    public init?(_ integer: Int64) {
        self.init(significand: integer, decimals: 0)
    }

    /// Creates an integer of any size.
    package init(unsigned integer: UInt64) {
        if let scaled = ScaledDecimal(magnitude: integer, decimals: 0, isNegative: false) {
            storage = .scaled(scaled)
        } else {
            storage = .text(String(integer))
        }
    }

    /// Creates significand ÷ 10^decimals, or returns `nil` if that needs more than 18 digits or
    /// decimals.
    public init?(significand: Int64, decimals: Int) {
        guard
            let scaled = ScaledDecimal(
                magnitude: significand.magnitude,
                decimals: decimals,
                isNegative: significand < 0
            )
        else { return nil }
        self.init(scaled)
    }

    /// Creates the number that a JSON literal writes.
    ///
    /// Returns `nil` for what is no JSON number, for a negative zero, and for numbers that no
    /// `Double` can approximate or that need more than 400 characters as a plain decimal.
    public init?(literal: String) {
        do throws(NumberProblem) {
            try self.init(literal: literal.utf8)
        } catch {
            return nil
        }
    }

    /// Creates the number that the bytes of a JSON literal write.
    package init(literal: some Collection<UInt8>) throws(NumberProblem) {
        let digits = try DecimalDigits(literal: literal)
        if let scaled = digits.scaled {
            storage = .scaled(scaled)
        } else {
            let text = try digits.plainText()
            guard let double = Double(text), double.isFinite else { throw .outOfRange }
            storage = .text(text)
        }
    }

    /// Creates a number from a scaled one, without loss.
    package init(_ scaled: ScaledDecimal) {
        storage = .scaled(scaled)
    }

    /// The nearest `Double`.
    public var doubleValue: Double {
        switch storage {
        case .scaled(let scaled): scaled.doubleValue
        case .text(let text): Double(text) ?? .nan
        }
    }

    /// The number, if it has at most 18 digits and 18 decimals.
    package var scaled: ScaledDecimal? {
        switch storage {
        case .scaled(let scaled): scaled
        case .text: nil
        }
    }

    /// Returns the number in units of 10^−places, or `nil` if it is no whole number of them or too
    /// large.
    public func units(places: UInt8) -> Int64? {
        scaled?.units(places: min(places, UInt8(ScaledDecimal.maximumDecimals)))
    }
}

extension ExactDecimal: CustomStringConvertible {
    /// The number in plain decimal digits, as few as possible.
    public var description: String {
        switch storage {
        case .scaled(let scaled): scaled.description
        case .text(let text): text
        }
    }
}
