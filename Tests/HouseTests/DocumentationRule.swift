/// Everything that leaves its module has a documentation comment right above it.
///
/// Enum cases whose names say all may go without: they carry no access level and never come up.
struct DocumentationRule: HouseRule {
    private static let levels: Set = ["public", "package", "open"]
    private static let followers: Set = [
        "func", "init", "subscript", "var", "let", "struct", "class", "enum", "actor", "protocol",
        "typealias", "static", "final", "mutating", "nonmutating", "nonisolated", "indirect",
        "consuming", "borrowing", "override", "private", "fileprivate", "internal", "convenience",
        "required", "macro", "extension", "prefix", "postfix", "infix", "lazy", "weak",
    ]

    func findings(in source: SwiftSource) -> [Finding] {
        guard source.module != nil else { return [] }
        return source.tokens.indices.compactMap { index in
            guard declares(source, at: index) else { return nil }
            let line = source.tokens[index].line
            return isDocumented(source, line: line)
                ? nil : source.finding(line, "no documentation comment")
        }
    }

    private func declares(_ source: SwiftSource, at index: Int) -> Bool {
        guard Self.levels.contains(source.word(at: index)), index + 1 < source.tokens.count else {
            return false
        }
        let next = source.tokens[index + 1]
        return Self.followers.contains(next.text) && next.line == source.tokens[index].line
    }

    /// Looks above the attributes, which may have reasons (`//`) of their own.
    private func isDocumented(_ source: SwiftSource, line: Int) -> Bool {
        for index in stride(from: line - 2, through: 0, by: -1) {
            let code = source.codeLines[index].trimmed
            let comment = source.commentLines[index].trimmed
            if code.isEmpty, comment.hasPrefix("///") { return true }
            let isReason = code.isEmpty && comment.hasPrefix("//")
            guard isReason || isAttribute(code) else { return false }
        }
        return false
    }

    /// Whether a line holds an attribute and not the declaration that goes with it.
    private func isAttribute(_ code: Substring) -> Bool {
        let words = code.split { !$0.isLetter }
        return code.hasPrefix("@") && !words.contains { Self.followers.contains(String($0)) }
    }
}
