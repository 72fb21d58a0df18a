/// A Swift file as the rules see it: lines, code without comments, comments without code.
struct SwiftSource {
    /// Where it is, relative to the repository, such as `Sources/Heart/Geodesy/Distance.swift`.
    let path: String

    /// The file as it is.
    let bytes: [UInt8]

    /// Its lines.
    let lines: [String]

    /// Its lines without comments and without what stands in strings.
    let codeLines: [String]

    /// Its lines without code.
    let commentLines: [String]

    /// The words and marks of its code.
    let tokens: [CodeToken]

    /// Takes a file apart.
    init(path: String, text: String) {
        let bytes = Array(text.utf8)
        let lexer = SourceLexer(bytes)
        self.path = path
        self.bytes = bytes
        lines = Self.lines(of: bytes)
        codeLines = Self.lines(of: lexer.code)
        commentLines = Self.lines(of: lexer.comments)
        tokens = CodeToken.tokens(of: lexer.code)
    }

    /// The module it belongs to; `nil` if it is not in `Sources`.
    var module: String? {
        let parts = path.split(separator: "/")
        return parts.count > 3 && parts[0] == "Sources" ? String(parts[2]) : nil
    }

    /// The room, the module and the module's folders that it is in: `Formats`, `Importers`,
    /// `Importers/XML`; empty if it is not in `Sources`.
    var places: Set<String> {
        let parts = path.split(separator: "/").dropLast()
        guard parts.count > 2, parts[0] == "Sources" else { return [] }
        let inModule = parts[2...].indices.map { parts[2...$0].joined(separator: "/") }
        return Set([String(parts[1])] + inModule)
    }

    /// The file's name without `.swift`.
    var stem: String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.hasSuffix(".swift") ? name.dropLast(6) : name)
    }

    /// Returns a finding about a line of this file.
    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }

    /// Returns whether `words` are the words and marks from `index` on.
    func matches(_ words: [String], at index: Int) -> Bool {
        index + words.count <= tokens.count
            && words.indices.allSatisfy { tokens[index + $0].text == words[$0] }
    }

    /// Returns the word or mark at `index`, or nothing beyond the ends of the file.
    func word(at index: Int) -> String {
        tokens.indices.contains(index) ? tokens[index].text : ""
    }

    /// Returns the index of what closes the parenthesis, bracket or brace at `index`.
    func closing(of index: Int) -> Int? {
        var depth = 0
        for position in index..<tokens.count {
            switch tokens[position].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: break
            }
            if depth == 0 { return position }
        }
        return nil
    }

    /// Splits bytes at line feeds; the one that ends the file opens no further line.
    static func lines(of bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension StringProtocol {
    /// The text without the white space around it.
    var trimmed: SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return self[start..<end]
    }
}
