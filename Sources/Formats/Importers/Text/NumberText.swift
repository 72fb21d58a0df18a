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

    /// Returns a number of at most 18 digits; `nil` if the text is not one.
    ///
    /// The decimal mark is a full stop, unless another one is given.
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
            // Zeros before the first digit do not count.
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

    /// Appends a number as JSON writes it, if it is a plausible reading of a receiver.
    ///
    /// - Returns: Whether it is one; a number with an exponent must be of everyday size.
    static func appendReading(
        _ text: Span<UInt8>,
        _ range: Range<Int>,
        to bytes: inout [UInt8]
    ) -> Bool {
        guard range.contains(where: { text[$0] | 0x20 == UInt8(ascii: "e") }) else {
            return appendJSON(text, range, to: &bytes)
        }
        guard let number = rounded(text, range) else { return false }
        FixedPoint.append(number.significand, decimals: Int(number.decimals), to: &bytes)
        return true
    }

    /// Whether a text is a number, in any way in which programs write them.
    static func isNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var unused: [UInt8] = []
        return appendReading(text, trimmed(text, range), to: &unused)
    }

    /// Returns a number; one with an exponent or more than 18 digits is rounded to nine decimals;
    /// `nil` if the text is not a number, or if it is larger than a thousand million.
    static func rounded(_ text: Span<UInt8>, _ range: Range<Int>) -> ScaledDecimal? {
        if let number = decimal(text, range) { return number }
        let range = trimmed(text, range)
        guard let first = range.first, isDigit(text[first]) || "+-.".utf8.contains(text[first]),
            let number = Double(String(decoding: text.bytes(in: range), as: UTF8.self)),
            number.magnitude < largest
        else { return nil }
        return ScaledDecimal(
            magnitude: UInt64((number.magnitude * 1e9).rounded()),
            decimals: 9,
            isNegative: number < 0
        )
    }

    /// The first number that is too large to be rounded: with nine decimals it would have more
    /// digits than a ``ScaledDecimal``.
    private static let largest = 1e9

    /// The most digits that fit into a ``ScaledDecimal``.
    private static let mostDigits = 18

    /// Returns a range without the white space at its ends.
    static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(text[start]) { start += 1 }
        while start < end, isSpace(text[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Returns a range without the NULs at its ends, which a power cut leaves in a file.
    static func withoutNULs(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, text[start] == 0 { start += 1 }
        while start < end, text[end - 1] == 0 { end -= 1 }
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

    /// Metres per second in one unit of it, as an exact fraction.
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

    /// Returns a speed in metres per second; `nil` if it is negative, which means that it is not
    /// known.
    ///
    /// It has at least one decimal more than the written number; programs print up to 17. A number
    /// written with eight or fewer can be computed again.
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
