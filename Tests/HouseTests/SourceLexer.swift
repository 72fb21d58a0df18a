/// Takes a Swift file apart into code and comments.
///
/// Both keep their place: what belongs to the other, and what stands in a string, becomes spaces.
/// It knows nested block comments, strings of one and of many lines, raw strings, interpolations
/// (which are code), extended regex literals `#/…/#` and raw identifiers. Bare `/…/` regex literals
/// it takes for code.
struct SourceLexer {
    /// The code, as long as the file.
    private(set) var code: [UInt8]

    /// The comments, as long as the file.
    private(set) var comments: [UInt8]

    private let bytes: [UInt8]
    private var index = 0

    /// Takes `bytes` apart.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let blank = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        code = blank
        comments = blank
        scanCode(endsAtParenthesis: false)
    }

    private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        let start = index + offset
        guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
    }

    private func count(of byte: UInt8, from start: Int) -> Int {
        bytes[start...].prefix { $0 == byte }.count
    }

    private mutating func keepCode(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            code[index] = bytes[index]
            index += 1
        }
    }

    private mutating func keepComment(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            comments[index] = bytes[index]
            index += 1
        }
    }

    /// The characters that begin something else than code, or may end it.
    private static let marks = Set("#/\"`()".utf8)

    private mutating func scanCode(endsAtParenthesis: Bool) {
        var depth = 0
        while index < bytes.count {
            guard Self.marks.contains(bytes[index]) else {
                keepCode()
                continue
            }
            let hashes = count(of: UInt8(ascii: "#"), from: index)
            if starts(with: "//") {
                scanLineComment()
            } else if starts(with: "/*") {
                scanBlockComment()
            } else if starts(with: "\"", at: hashes) {
                scanString(hashes: hashes)
            } else if hashes > 0, starts(with: "/", at: hashes) {
                scanRegex(hashes: hashes)
            } else if starts(with: "`") {
                scanQuotedIdentifier()
            } else {
                if starts(with: "(") { depth += 1 }
                if starts(with: ")") { depth -= 1 }
                keepCode()
                if endsAtParenthesis, depth < 0 { return }
            }
        }
    }

    private mutating func scanLineComment() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { keepComment() }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                keepComment(2)
            } else if starts(with: "*/") {
                depth -= 1
                keepComment(2)
            } else {
                keepComment()
            }
        } while depth > 0 && index < bytes.count
    }

    /// Keeps the delimiters and the interpolations.
    private mutating func scanString(hashes: Int) {
        keepCode(hashes)
        let quotes = starts(with: "\"\"\"") ? 3 : 1
        keepCode(quotes)
        while index < bytes.count {
            if starts(with: quotes == 3 ? "\"\"\"" : "\""),
                count(of: UInt8(ascii: "#"), from: index + quotes) >= hashes
            {
                return keepCode(quotes + hashes)
            }
            if starts(with: "\\"), count(of: UInt8(ascii: "#"), from: index + 1) >= hashes {
                index += 1 + hashes
                if starts(with: "(") {
                    keepCode()
                    scanCode(endsAtParenthesis: true)
                } else {
                    index += 1
                }
            } else if quotes == 1, starts(with: "\n") {
                return  // An unterminated string: the compiler's business.
            } else {
                index += 1
            }
        }
    }

    private mutating func scanRegex(hashes: Int) {
        keepCode(hashes + 1)
        while index < bytes.count {
            if starts(with: "/"), count(of: UInt8(ascii: "#"), from: index + 1) >= hashes {
                return keepCode(1 + hashes)
            }
            index += starts(with: "\\") ? 2 : 1
        }
    }

    /// Keeps the length but not the words: a test's name is prose.
    private mutating func scanQuotedIdentifier() {
        keepCode()
        while index < bytes.count, !starts(with: "`"), !starts(with: "\n") {
            code[index] = UInt8(ascii: "_")
            index += 1
        }
        keepCode()
    }
}

/// A word (with its `@`, if it is an attribute) or a punctuation mark of a file's code.
struct CodeToken {
    /// The word or mark.
    let text: String

    /// The line it stands on, one-based.
    let line: Int

    /// Whether nothing but space stands before it on its line.
    let startsLine: Bool

    /// Its offset, in bytes from the start of the file.
    let offset: Int

    /// Returns the words and marks of `code`, in order.
    static func tokens(of code: [UInt8]) -> [CodeToken] {
        var tokens: [CodeToken] = []
        var line = 1
        var startsLine = true
        var index = 0
        while index < code.count {
            let byte = code[index]
            if byte == UInt8(ascii: "\n") {
                line += 1
                startsLine = true
                index += 1
            } else if byte <= UInt8(ascii: " ") {
                index += 1
            } else {
                let start = index
                index += 1
                if isWord(byte) || byte == UInt8(ascii: "@") {
                    while index < code.count, isWord(code[index]) { index += 1 }
                }
                let text = String(decoding: code[start..<index], as: UTF8.self)
                tokens.append(
                    CodeToken(text: text, line: line, startsLine: startsLine, offset: start)
                )
                startsLine = false
            }
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
            true
        default:
            false
        }
    }
}
