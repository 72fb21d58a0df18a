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
