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
            guard !isNegative else { throw .negativeZero }
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
