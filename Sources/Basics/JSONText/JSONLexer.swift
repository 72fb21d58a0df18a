// Public, because only public declarations can be inlined into other modules: each line calls
// `skipSpace` and `string` for every member.
/// The tokens of RFC 8259, read strictly and without allocating.
///
/// Positions are offsets into the line; the columns of a ``JSONSyntaxError`` count bytes from 1.
public enum JSONLexer {
    /// A string between its quotes.
    public struct StringToken {
        /// Offset of the closing quote.
        public var end: Int

        /// Whether the bytes must be unescaped to be the text.
        public var hasEscapes: Bool

        /// Creates a token.
        @inlinable
        public init(end: Int, hasEscapes: Bool) {
            self.end = end
            self.hasEscapes = hasEscapes
        }
    }

    /// Returns the offset of the next byte that is no white space.
    @inlinable @inline(__always)
    public static func skipSpace(_ line: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < line.count {
            let byte = line[position]
            // Usually there is none, and one comparison tells.
            guard byte <= 0x20 else { break }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position += 1
        }
        return position
    }

    /// Reads a string whose opening quote is just before `start`.
    @inlinable @inline(__always)
    public static func string(
        _ line: Span<UInt8>,
        from start: Int
    ) throws(JSONSyntaxError) -> StringToken {
        var position = start
        while position + 8 <= line.count {
            let plain = PlainBytes.count(in: line.word(at: position))
            position += plain
            guard plain < 8 else { continue }
            guard line[position] == UInt8(ascii: "\"") else { break }
            return StringToken(end: position, hasEscapes: false)
        }
        return try unusualString(line, from: position, start: start)
    }

    /// Reads the rest of a string that holds escapes, other than ASCII, or an error, or stands at
    /// the line's end.
    @inline(never)
    @usableFromInline
    static func unusualString(
        _ line: Span<UInt8>,
        from first: Int,
        start: Int
    ) throws(JSONSyntaxError) -> StringToken {
        var position = first
        var hasEscapes = false
        while position < line.count {
            let byte = line[position]
            switch byte {
            case UInt8(ascii: "\""):
                return StringToken(end: position, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position = try JSONEscape.end(line, at: position)
            case 0x00..<0x20:
                throw JSONSyntaxError(
                    .controlCharacter,
                    column: position + 1,
                    sentence: "Control character \(Excerpt.hexadecimal(byte)) stands in a text; "
                        + "JSON writes it as an escape."
                )
            case 0x80...:
                position = try UTF8Sequence.end(line, at: position)
            default:
                position += 1
            }
        }
        throw JSONSyntaxError(
            .invalidJSON,
            column: line.count + 1,
            sentence: "The line ends inside the text that starts at byte \(start)."
        )
    }

    /// Reads `true`, `false` or `null`, whichever `word` is, and returns where it ends.
    package static func word(
        _ word: StaticString,
        _ line: Span<UInt8>,
        at start: Int
    ) throws(JSONSyntaxError) -> Int {
        let bytes = Array(word.description.utf8)
        guard line.count - start >= bytes.count,
            bytes.indices.allSatisfy({ line[start + $0] == bytes[$0] })
        else { throw unexpected(line, at: start, expected: "a value") }
        return start + bytes.count
    }

    /// Returns the reason for a byte, or an end, that cannot stand where it does.
    package static func unexpected(
        _ line: Span<UInt8>,
        at position: Int,
        expected: String
    ) -> JSONSyntaxError {
        guard position < line.count else {
            return JSONSyntaxError(
                .invalidJSON,
                column: line.count + 1,
                sentence: "The line ends where \(expected) should come."
            )
        }
        let found = Excerpt.byte(line[position])
        return JSONSyntaxError(
            .invalidJSON,
            column: position + 1,
            sentence: "Found \(found) where \(expected) should come."
        )
    }
}

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
    }

    /// Reads a number that starts at `start` with a minus sign or a digit (RFC 8259 §6).
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
    static func invalidNumber(
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

    @inline(__always)
    private static func digits(
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

    private static func exponentEnd(
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

/// Why a text is not JSON as RFC 8259 says.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// What is wrong, for programs.
    public enum Code: Hashable, Sendable {
        /// A byte, or the end, stands where the grammar allows none.
        case invalidJSON

        /// The bytes are not UTF-8.
        case invalidUTF8

        /// A text has an escape that JSON does not know.
        case invalidEscape

        /// A control character stands in a text without an escape.
        case controlCharacter

        /// A number is not written as JSON writes them.
        case invalidNumber

        /// Lists and objects are nested too deep.
        case tooDeep

        /// An object has a name twice.
        case duplicateKey
    }

    /// What is wrong, for programs.
    public let code: Code

    /// The byte where it was seen, counted from 1.
    public let column: Int

    /// What is wrong, with the text seen and what is allowed, as a sentence.
    public let sentence: String

    /// Creates an error.
    public init(_ code: Code, column: Int, sentence: String) {
        self.code = code
        self.column = column
        self.sentence = sentence
    }
}
