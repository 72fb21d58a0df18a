/// A number exactly as its JSON text gives it, without the zeros that change nothing.
///
/// 12.5, 12.50 and 125e-1 are one value; 0.1 is a tenth and not the `Double` near it. Literals of
/// Swift make one too: `let distance: ExactDecimal = 12.5`.
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

    /// Creates the shortest decimal that only this double is nearest to, as Swift prints it.
    ///
    /// The double near a tenth becomes 0.1, and a negative zero becomes zero. The result is `nil`
    /// for infinity and for what is no number.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        self.init(literal: double.description)
    }

    /// Creates an integer of any size.
    package init(unsigned integer: UInt64) {
        self.init(magnitude: integer, isNegative: false)
    }

    private init(magnitude: UInt64, isNegative: Bool) {
        if let scaled = ScaledDecimal(
            magnitude: magnitude,
            decimals: 0,
            isNegative: isNegative
        ) {
            storage = .scaled(scaled)
        } else {
            storage = .text((isNegative ? "-" : "") + String(magnitude))
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
    /// A negative zero is zero. Returns `nil` for what is no JSON number, and for numbers that no
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

extension ExactDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates the number that an integer literal of Swift writes.
    public init(integerLiteral integer: Int64) {
        self.init(magnitude: integer.magnitude, isNegative: integer < 0)
    }

    /// Creates the number that a literal with a point or an exponent writes.
    ///
    /// The compiler hands over a `Double`, which keeps up to 15 digits as they are written; for
    /// more there is ``init(literal:)``. The literal MUST be within the range of `Double`.
    public init(floatLiteral double: Double) {
        guard let number = Self(double) else {
            preconditionFailure("a literal is beyond the range of Double")
        }
        self = number
    }
}

extension ExactDecimal {
    /// Returns the number times so many thousandths, exactly: 12.5 times 1,609,344 thousandths is
    /// 20116.8.
    ///
    /// - Returns: The product, or `nil` if it needs more than 18 digits or decimals.
    public func multiplied(byThousandths thousandths: Int64) -> ExactDecimal? {
        guard let scaled else { return nil }
        let product = scaled.significand.multipliedReportingOverflow(by: thousandths)
        guard !product.overflow else { return nil }
        return ExactDecimal(significand: product.partialValue, decimals: Int(scaled.decimals) + 3)
    }
}

/// The digits of a JSON number literal, however many, in lowest terms: digits ÷ 10^decimals.
struct DecimalDigits {
    private var digits: [UInt8] = []
    private var decimals = 0
    private var isNegative = false

    /// Reads a literal: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?` (RFC 8259 §6).
    init(literal: some Collection<UInt8>) throws(NumberProblem) {
        var rest = Array(literal)[...]
        isNegative = Self.take(UInt8(ascii: "-"), from: &rest)
        let whole = Self.takeDigits(from: &rest)
        guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else {
            throw .malformed
        }
        digits = whole
        if Self.take(UInt8(ascii: "."), from: &rest) {
            let fraction = Self.takeDigits(from: &rest)
            guard !fraction.isEmpty else { throw .malformed }
            digits += fraction
            decimals = fraction.count
        }
        var exponent: Int? = 0
        if Self.take(UInt8(ascii: "e"), from: &rest) || Self.take(UInt8(ascii: "E"), from: &rest) {
            exponent = try Self.takeExponent(from: &rest)
        }
        guard rest.isEmpty else { throw .malformed }
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            decimals -= 1
        }
        if digits.isEmpty {
            isNegative = false
            decimals = 0
            return
        }
        guard let exponent else { throw .outOfRange }
        decimals -= exponent
    }

    /// The number, if it has at most 18 digits and 18 decimals.
    var scaled: ScaledDecimal? {
        guard digits.count <= ScaledDecimal.maximumDecimals else { return nil }
        let magnitude = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
        return ScaledDecimal(magnitude: magnitude, decimals: decimals, isNegative: isNegative)
    }

    /// Returns the number in plain decimal digits, as few as possible.
    func plainText() throws(NumberProblem) -> String {
        guard digits.count + abs(decimals) + 3 <= ExactDecimal.maximumTextLength else {
            throw .outOfRange
        }
        let zero = UInt8(ascii: "0")
        var whole = Array(digits.dropLast(max(0, decimals)))
        whole += [UInt8](repeating: zero, count: max(0, -decimals))
        if whole.isEmpty {
            whole = [zero]
        }
        var text = isNegative ? [UInt8(ascii: "-")] : []
        text += whole
        if decimals > 0 {
            text.append(UInt8(ascii: "."))
            text += [UInt8](repeating: zero, count: max(0, decimals - digits.count))
            text += digits.suffix(decimals)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func take(_ byte: UInt8, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private static func takeDigits(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(digits.count)
        return Array(digits)
    }

    /// Reads an exponent, or returns `nil` if it has more than four digits: whatever it says, it
    /// is beyond every limit.
    private static func takeExponent(
        from rest: inout ArraySlice<UInt8>
    ) throws(NumberProblem) -> Int? {
        let isNegative = take(UInt8(ascii: "-"), from: &rest)
        if !isNegative {
            _ = take(UInt8(ascii: "+"), from: &rest)
        }
        let digits = takeDigits(from: &rest)
        guard !digits.isEmpty else { throw .malformed }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        guard significant.count <= 4 else { return nil }
        let magnitude = significant.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return isNegative ? -magnitude : magnitude
    }
}

/// Why a number is not taken.
package enum NumberProblem: Error {
    /// It is not written as RFC 8259 §6 says.
    case malformed

    /// It is beyond `Double`, or longer than ``ExactDecimal/maximumTextLength`` in plain digits.
    case outOfRange
}
