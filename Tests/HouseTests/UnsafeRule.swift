/// Memory is handled by hand only in `House.memoryKeepers`, and each time with the reason above it.
///
/// A `//` comment gives the reason for the lines below it up to the next blank line, the end of its
/// block or the head of another function or type; a documentation comment may stand between the
/// reason and the head it documents. For `@_lifetime` the documentation itself will do: how long a
/// value lives is part of the contract.
struct UnsafeRule: HouseRule {
    private static let lifetimes: Set = ["@_lifetime", "@lifetime"]
    private static let words = lifetimes.union(["unsafe", "@unsafe", "@safe", "@unchecked"])

    func findings(in source: SwiftSource) -> [Finding] {
        guard let module = source.module else { return [] }
        var findings: [Finding] = []
        for (index, token) in source.tokens.enumerated() where findings.last?.line != token.line {
            let escapesIsolation = source.matches(["nonisolated", "(", "unsafe"], at: index)
            if token.text == "@preconcurrency" || escapesIsolation {
                findings.append(source.finding(token.line, "\(token.text) has no place here"))
            } else if Self.words.contains(token.text) {
                if House.memoryKeepers.isDisjoint(with: source.places) {
                    findings.append(
                        source.finding(token.line, "\(module) may not say \(token.text)")
                    )
                } else if !hasReason(source, for: token) {
                    findings.append(
                        source.finding(token.line, "\(token.text) without the reason above it")
                    )
                }
            }
        }
        return findings
    }

    private func hasReason(_ source: SwiftSource, for token: CodeToken) -> Bool {
        var indentation = indentation(of: source.lines[token.line - 1])
        for index in stride(from: token.line - 2, through: 0, by: -1) {
            let line = source.lines[index]
            let code = source.codeLines[index].trimmed
            if line.trimmed.isEmpty { return false }
            if code.isEmpty {
                if !source.commentLines[index].trimmed.hasPrefix("///") {
                    return self.indentation(of: line) <= indentation
                }
                if Self.lifetimes.contains(token.text) { return true }
            } else {
                if opensBody(code) { return false }
                indentation = min(indentation, self.indentation(of: line))
            }
        }
        return false
    }

    private func indentation(of line: String) -> Int {
        line.prefix { $0 == " " }.count
    }

    /// Whether a line of code is the head of a function or type whose body begins below it.
    private func opensBody(_ code: Substring) -> Bool {
        let heads: Set<Substring> = [
            "func", "init", "deinit", "subscript", "struct", "class", "enum", "extension",
            "protocol",
        ]
        return code.last == "{"
            && code.split { !$0.isLetter }.prefix(5).contains { heads.contains($0) }
    }
}
