/// Files, functions and lines stay short enough to be read at once.
struct SizeRule: HouseRule {
    private let fileLines = 700
    private let functionLines = 60
    private let lineColumns = 100

    func findings(in source: SwiftSource) -> [Finding] {
        var findings = longLines(source.lines, path: source.path)
        for lines in FunctionBodies.lines(of: source) where lines.count > functionLines {
            findings.append(source.finding(lines.lowerBound, "a function of \(lines.count) lines"))
        }
        return findings
    }

    /// Returns the lines of a file in any language that are too long.
    func longLines(_ lines: [String], path: String) -> [Finding] {
        var findings: [Finding] = []
        if lines.count > fileLines {
            findings.append(Finding(path: path, line: 0, message: "\(lines.count) lines"))
        }
        for (index, line) in lines.enumerated()
        where line.utf8.count > lineColumns && line.count > lineColumns {
            let message = "\(line.count) columns"
            findings.append(Finding(path: path, line: index + 1, message: message))
        }
        return findings
    }
}

/// Finds the functions, initialisers, subscripts and computed properties of a file.
enum FunctionBodies {
    private static let functions: Set = ["func", "init", "deinit", "subscript"]

    /// The words that begin another declaration, so that the one before it had no body.
    private static let beginnings: Set = [
        "func", "init", "deinit", "subscript", "var", "let", "static", "class", "mutating",
        "nonmutating", "public", "package", "private", "fileprivate", "internal", "associatedtype",
        "typealias", "case", "struct", "enum", "extension", "protocol", "override", "final",
    ]

    /// Returns the first and last line of each that has a body.
    static func lines(of source: SwiftSource) -> [ClosedRange<Int>] {
        source.tokens.indices.compactMap { index in
            let isFunction = functions.contains(source.word(at: index))
            guard isFunction || source.word(at: index) == "var",
                source.word(at: index - 1) != ".",
                let opening = openingBrace(of: source, from: index + 1, isFunction: isFunction),
                let closing = source.closing(of: opening)
            else { return nil }
            return source.tokens[index].line...source.tokens[closing].line
        }
    }

    private static func openingBrace(
        of source: SwiftSource,
        from start: Int,
        isFunction: Bool
    ) -> Int? {
        var index = start
        while index < source.tokens.count {
            let token = source.tokens[index]
            switch token.text {
            case "{": return index
            case "}", ")", "]", ",", ";": if !isFunction || token.text != "," { return nil }
            case "(", "[":
                guard let closing = source.closing(of: index) else { return nil }
                index = closing
            case "=" where !isFunction: return nil
            default:
                if token.startsLine {
                    let isAttribute = token.text.hasPrefix("@")
                    if !isFunction || isAttribute || beginnings.contains(token.text) { return nil }
                }
            }
            index += 1
        }
        return nil
    }
}
