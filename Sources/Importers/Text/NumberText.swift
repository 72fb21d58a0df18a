import TripEvents

/// Decimal numbers as others write them.
enum NumberText {
    /// Appends a number as JSON writes it, digit by digit: `+52.1`, `.5` and `5.` are numbers too.
    ///
    /// - Returns: Whether it is one.
    static func appendJSON(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        to bytes: inout [UInt8]
    ) -> Bool {
        let range = trimmed(text, range)
        guard let first = range.first else { return false }
        if text[first] == UInt8(ascii: "-") || isDigit(text[first]),
            let token = try? JSONLexer.number(text.extracting(range), from: 0),
            token.end == range.count
        {
            bytes.append(contentsOf: text.extracting(range))
            return true
        }
        guard let number = decimal(text, range) else { return false }
        FixedPoint.append(number.significand, decimals: Int(number.decimals), to: &bytes)
        return true
    }

    /// Returns a number of at most 18 digits; `nil` if it is none.
    ///
    /// What stands before its decimals is a full stop, unless said otherwise.
    static func decimal(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        point: UInt8 = UInt8(ascii: ".")
    ) -> ScaledDecimal? {
        let range = trimmed(text, range)
        guard !range.isEmpty else { return nil }
        var position = range.lowerBound
        let isNegative = text[position] == UInt8(ascii: "-")
        if isNegative || text[position] == UInt8(ascii: "+") { position += 1 }
        var magnitude: UInt64 = 0
        var digitCount = 0
        var decimals: Int?
        while position < range.upperBound {
            let byte = text[position]
            position += 1
            if byte == point, decimals == nil {
                decimals = 0
                continue
            }
            guard isDigit(byte), digitCount < mostDigits else { return nil }
            magnitude = magnitude * 10 + UInt64(byte - UInt8(ascii: "0"))
            // Zeros before the first digit are none.
            if magnitude > 0 { digitCount += 1 }
            decimals = decimals.map { $0 + 1 }
        }
        guard digitCount > 0 || text[position - 1] == UInt8(ascii: "0") else { return nil }
        return ScaledDecimal(
            magnitude: magnitude,
            decimals: decimals ?? 0,
            isNegative: isNegative
        )
    }

    /// As many as fit into a ``ScaledDecimal``.
    private static let mostDigits = 18

    /// Returns a range without the white space at its ends.
    static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(text[start]) { start += 1 }
        while start < end, isSpace(text[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// A unit in which others write speeds.
enum SpeedUnit {
    case metersPerSecond
    case kilometersPerHour
    case milesPerHour
    case knots

    /// Metres per second in one of it, as an exact fraction.
    ///
    /// An international knot is 1,852 m an hour, a mile 1,609.344 m.
    private var fraction: (numerator: Int64, denominator: Int64) {
        switch self {
        case .metersPerSecond: (1, 1)
        case .kilometersPerHour: (5, 18)
        case .milesPerHour: (1_397, 3_125)
        case .knots: (463, 900)
        }
    }

    /// The decimals that a converted speed has at least: receivers write hundredths of knots.
    private var leastDecimals: Int { self == .knots ? 3 : 2 }

    private static let mostDecimals = 9

    /// Returns a speed in metres per second; `nil` if it is negative, which says that it is not
    /// known.
    ///
    /// It has at least one decimal more than what was written, of which programs print up to 17:
    /// what was written with eight or fewer can be computed again.
    func metersPerSecond(_ speed: ScaledDecimal) -> ScaledDecimal? {
        guard speed.significand >= 0 else { return nil }
        guard self != .metersPerSecond else { return speed }
        let decimals = max(leastDecimals, min(Self.mostDecimals, Int(speed.decimals) + 1))
        var scaled = Int128(speed.significand) * Int128(fraction.numerator)
        var denominator = Int128(fraction.denominator)
        for _ in 0..<max(0, decimals - Int(speed.decimals)) { scaled *= 10 }
        for _ in 0..<max(0, Int(speed.decimals) - decimals) { denominator *= 10 }
        let rounded = (2 * scaled + denominator) / (2 * denominator)
        return UInt64(exactly: rounded)
            .flatMap { ScaledDecimal(magnitude: $0, decimals: decimals, isNegative: false) }
    }
}
