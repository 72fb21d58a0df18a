import TripEvents

/// A latitude or longitude in degrees, as tables write them: `-4.3`, `4.3W`, `W 4.3`, `4.3°`.
enum AngleText {
    /// Returns an angle, negative in the south and west; `nil` if it is none.
    static func degrees(_ text: some Collection<UInt8>, point: UInt8) -> ScaledDecimal? {
        // The degree sign is two bytes of UTF-8.
        var digits = Array(text)[...].filter { $0 < 0x80 && $0 != UInt8(ascii: " ") }[...]
        var hemisphere: UInt8?
        if let first = digits.first, isHemisphere(first) {
            hemisphere = digits.popFirst()
        } else if let last = digits.last, isHemisphere(last) {
            hemisphere = digits.popLast()
        }
        let number = Array(digits)
        guard let degrees = NumberText.decimal(number.span, number.indices, point: point) else {
            return nil
        }
        guard let hemisphere else { return degrees }
        // A sign and a letter could mean either.
        guard degrees.significand >= 0 else { return nil }
        return isNegative(hemisphere) ? negated(degrees) : degrees
    }

    /// Returns an angle with its sign changed.
    static func negated(_ degrees: ScaledDecimal) -> ScaledDecimal? {
        ScaledDecimal(
            magnitude: degrees.significand.magnitude,
            decimals: Int(degrees.decimals),
            isNegative: degrees.significand > 0
        )
    }

    /// Whether a letter stands for a half of the earth.
    static func isHemisphere(_ letter: UInt8) -> Bool {
        [UInt8](arrayLiteral: 0x4E, 0x53, 0x45, 0x57).contains(letter & 0xDF)
    }

    /// Whether it stands for the south or the west.
    static func isNegative(_ letter: UInt8) -> Bool {
        letter & 0xDF == UInt8(ascii: "S") || letter & 0xDF == UInt8(ascii: "W")
    }
}
