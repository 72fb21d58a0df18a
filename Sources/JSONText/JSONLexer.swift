/// The tokens of RFC 8259, read strictly and without allocating.
///
/// Positions are offsets into the line; the columns of a ``JSONSyntaxError`` count bytes from 1.
package enum JSONLexer {
    /// A string between its quotes.
    package struct StringToken {
        /// Offset of the closing quote.
        package var end: Int

        /// Whether the bytes must be unescaped to be the text.
        package var hasEscapes: Bool

        /// Creates a token.
        @inlinable
        package init(end: Int, hasEscapes: Bool) {
            self.end = end
            self.hasEscapes = hasEscapes
        }
    }

    /// Returns the offset of the next byte that is no white space.
    @inlinable @inline(__always)
    package static func skipSpace(_ line: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position < line.count {
            let byte = line[position]
            // Mostly there is none, which one comparison says.
            guard byte <= 0x20 else { break }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position += 1
        }
        return position
    }

    /// Reads a string whose opening quote is just before `start`.
    @inlinable @inline(__always)
    package static func string(
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
