/// The escapes of JSON strings (RFC 8259 §7).
package enum JSONEscape {
    /// Checks the escape whose backslash is at `start` and returns where it ends.
    package static func end(_ line: Span<UInt8>, at start: Int) throws(JSONSyntaxError) -> Int {
        guard start + 1 < line.count else {
            throw JSONLexer.unexpected(line, at: start + 1, expected: "the rest of an escape")
        }
        switch line[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            return try scalar(line, at: start).end
        default:
            throw invalid(
                line,
                at: start,
                why: "is no escape of JSON: those are \\\" \\\\ \\/ \\b \\f \\n "
                    + "\\r \\t and \\uHHHH"
            )
        }
    }

    /// Returns the text of a string's bytes, whose escapes have been checked, as UTF-8.
    package static func unescape(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            guard line[position] == UInt8(ascii: "\\") else {
                text.append(line[position])
                position += 1
                continue
            }
            if line[position + 1] == UInt8(ascii: "u"),
                let escaped = try? scalar(line, at: position)
            {
                text.append(contentsOf: String(Character(escaped.scalar)).utf8)
                position = escaped.end
            } else {
                text.append(character(line[position + 1]))
                position += 2
            }
        }
        return text
    }

    /// Reads `\uHHHH`, or two of them that are a surrogate pair.
    private static func scalar(
        _ line: Span<UInt8>,
        at start: Int
    ) throws(JSONSyntaxError) -> (scalar: Unicode.Scalar, end: Int) {
        let first = try codeUnit(line, at: start)
        if let scalar = Unicode.Scalar(first) {
            return (scalar, start + 6)
        }
        guard (0xD800...0xDBFF).contains(first), start + 7 < line.count,
            line[start + 6] == UInt8(ascii: "\\"), line[start + 7] == UInt8(ascii: "u")
        else { throw invalid(line, at: start, why: "is half of a surrogate pair") }
        let second = try codeUnit(line, at: start + 6)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(
                0x1_0000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
            )
        else { throw invalid(line, at: start, why: "is half of a surrogate pair") }
        return (scalar, start + 12)
    }

    private static func codeUnit(
        _ line: Span<UInt8>,
        at start: Int
    ) throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for position in start + 2..<start + 6 {
            guard position < line.count else {
                throw JSONLexer.unexpected(line, at: position, expected: "a hexadecimal digit")
            }
            switch line[position] {
            case let digit where digit &- 0x30 < 10: unit = unit << 4 | UInt16(digit - 0x30)
            case let letter where (letter | 0x20) &- 0x61 < 6:
                unit = unit << 4 | UInt16((letter | 0x20) - 0x61 + 10)
            default:
                throw invalid(line, at: start, why: "lacks one of its four hexadecimal digits")
            }
        }
        return unit
    }

    private static func character(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    private static func invalid(
        _ line: Span<UInt8>,
        at start: Int,
        why: String
    ) -> JSONSyntaxError {
        let isUnicode = start + 1 < line.count && line[start + 1] == UInt8(ascii: "u")
        let end = min(start + (isUnicode ? 6 : 2), line.count)
        return JSONSyntaxError(
            .invalidEscape,
            column: start + 1,
            sentence: "\(Excerpt.of(line, start..<end)) \(why)."
        )
    }
}

/// Well-formed UTF-8 (The Unicode Standard, table 3-7).
package enum UTF8Sequence {
    /// Checks the sequence of two to four bytes at `start` and returns where it ends.
    package static func end(_ line: Span<UInt8>, at start: Int) throws(JSONSyntaxError) -> Int {
        let lead = line[start]
        let length: Int
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw invalid(line, at: start)
        }
        guard start + length <= line.count, second.contains(line[start + 1]) else {
            throw invalid(line, at: start)
        }
        var position = start + 2
        while position < start + length {
            guard line[position] & 0xC0 == 0x80 else { throw invalid(line, at: start) }
            position += 1
        }
        return start + length
    }

    private static func invalid(_ line: Span<UInt8>, at start: Int) -> JSONSyntaxError {
        JSONSyntaxError(
            .invalidUTF8,
            column: start + 1,
            sentence: "Byte \(Excerpt.hexadecimal(line[start])) does not start valid UTF-8."
        )
    }
}
