import TripEvents

/// A latitude or longitude in degrees, as tables write them: `-4.3`, `4.3W`, `W 4.3`, `4.3°`.
enum AngleText {
    /// Returns an angle, negative in the south and west; `nil` if the text is not one.
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

    /// Returns a longitude beyond 180° as its equal within ±180°; `nil` if it is within that
    /// already, or beyond a whole turn.
    static func turnedBack(_ text: Span<UInt8>, _ range: Range<Int>) -> ScaledDecimal? {
        // Fast path: a number of fewer than three digits is less than 180.
        let digits = range.drop { !(0x30...0x39).contains(text[$0]) }
            .prefix { (0x30...0x39).contains(text[$0]) }
        guard digits.count >= 3, let degrees = NumberText.decimal(text, range) else { return nil }
        let units = Int128(degrees.significand)
        var turn: Int128 = 360
        for _ in 0..<degrees.decimals { turn *= 10 }
        guard units.magnitude * 2 > turn, units.magnitude <= turn else { return nil }
        let turned = units > 0 ? units - turn : units + turn
        return ScaledDecimal(
            magnitude: UInt64(turned.magnitude),
            decimals: Int(degrees.decimals),
            isNegative: turned < 0
        )
    }

    /// Returns an angle with its sign changed.
    static func negated(_ degrees: ScaledDecimal) -> ScaledDecimal? {
        ScaledDecimal(
            magnitude: degrees.significand.magnitude,
            decimals: Int(degrees.decimals),
            isNegative: degrees.significand > 0
        )
    }

    /// Whether a letter stands for a hemisphere.
    static func isHemisphere(_ letter: UInt8) -> Bool {
        [UInt8](arrayLiteral: 0x4E, 0x53, 0x45, 0x57).contains(letter & 0xDF)
    }

    /// Whether it stands for the south or the west.
    static func isNegative(_ letter: UInt8) -> Bool {
        letter & 0xDF == UInt8(ascii: "S") || letter & 0xDF == UInt8(ascii: "W")
    }
}
