/// A word (with its `@`, if it is an attribute) or a punctuation mark of a file's code.
struct CodeToken {
    /// The word or mark.
    let text: String

    /// The line it stands on, one-based.
    let line: Int

    /// Whether nothing but space stands before it on its line.
    let startsLine: Bool

    /// Where it begins, in bytes from the start of the file.
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
