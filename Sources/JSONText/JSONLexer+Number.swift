extension JSONLexer {
    /// A number: magnitude ÷ 10^decimals if it is short, else only where it stands.
    package struct NumberToken {
        /// Offset of the byte after the last.
        package var end: Int

        /// The digits as an integer; meaningless unless `isShort`.
        package var magnitude: UInt64

        /// Digits after the point.
        package var decimals: Int

        /// Whether it starts with a minus sign.
        package var isNegative: Bool

        /// Whether it has at most 19 digits, which fit into the magnitude, and no exponent.
        package var isShort: Bool

        /// Creates a token.
        @inlinable
        package init(
            end: Int,
            magnitude: UInt64,
            decimals: Int,
            isNegative: Bool,
            isShort: Bool
        ) {
            self.end = end
            self.magnitude = magnitude
            self.decimals = decimals
            self.isNegative = isNegative
            self.isShort = isShort
        }
    }

    /// Reads a number that starts at `start` with a minus sign or a digit (RFC 8259 §6).
    @inlinable @inline(__always)
    package static func number(
        _ line: Span<UInt8>,
        from start: Int
    ) throws(JSONSyntaxError) -> NumberToken {
        let isNegative = line[start] == UInt8(ascii: "-")
        let whole = isNegative ? start + 1 : start
        var magnitude: UInt64 = 0
        var position = digits(line, from: whole, into: &magnitude)
        var digitCount = position - whole
        guard digitCount == 1 || (digitCount > 1 && line[whole] != UInt8(ascii: "0")) else {
            throw invalidNumber(line, from: start, at: whole)
        }
        var decimals = 0
        if position < line.count, line[position] == UInt8(ascii: ".") {
            let fraction = position + 1
            position = digits(line, from: fraction, into: &magnitude)
            decimals = position - fraction
            guard decimals > 0 else { throw invalidNumber(line, from: start, at: fraction) }
            digitCount += decimals
        }
        var isShort = digitCount <= 19
        if position < line.count, line[position] | 0x20 == UInt8(ascii: "e") {
            position = try exponentEnd(line, from: position + 1, start: start)
            isShort = false
        }
        return NumberToken(
            end: position,
            magnitude: magnitude,
            decimals: decimals,
            isNegative: isNegative,
            isShort: isShort
        )
    }

    /// Returns the reason for a number that is not written as JSON writes them.
    @inline(never)
    package static func invalidNumber(
        _ line: Span<UInt8>,
        from start: Int,
        at position: Int
    ) -> JSONSyntaxError {
        var end = start
        while end < line.count, !isDelimiter(line[end]) {
            end += 1
        }
        return JSONSyntaxError(
            .invalidNumber,
            column: min(position, line.count) + 1,
            sentence: "\(Excerpt.of(line, start..<end)) is no number as JSON writes them, "
                + "such as 12, -0.5 or 1e3."
        )
    }

    @inlinable @inline(__always)
    static func digits(
        _ line: Span<UInt8>,
        from start: Int,
        into magnitude: inout UInt64
    ) -> Int {
        var position = start
        while position + 8 <= line.count {
            let digits = DigitWord(line.word(at: position))
            digits.append(to: &magnitude)
            position += digits.count
            guard digits.count == 8 else { return position }
        }
        while position < line.count {
            let digit = line[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            position += 1
        }
        return position
    }

    @usableFromInline
    static func exponentEnd(
        _ line: Span<UInt8>,
        from afterLetter: Int,
        start: Int
    ) throws(JSONSyntaxError) -> Int {
        var first = afterLetter
        if first < line.count, line[first] == UInt8(ascii: "+") || line[first] == UInt8(ascii: "-")
        {
            first += 1
        }
        var ignored: UInt64 = 0
        let end = digits(line, from: first, into: &ignored)
        guard end > first else { throw invalidNumber(line, from: start, at: first) }
        return end
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x20, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "\""):
            true
        default: false
        }
    }
}
