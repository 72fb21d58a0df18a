/// A command reads whatever it prints from one snapshot: a second one may be of another ledger.
///
/// Only what a command itself has appended is a reason to read again.
struct SnapshotRule: HouseRule {
    func findings(in source: SwiftSource) -> [Finding] {
        guard source.path.hasPrefix("Sources/LedgerTool/") else { return [] }
        return FunctionBodies.lines(of: source).flatMap { findings(in: source, lines: $0) }
    }

    private func findings(in source: SwiftSource, lines: ClosedRange<Int>) -> [Finding] {
        var findings: [Finding] = []
        var hasRead = false
        for index in source.tokens.indices where lines.contains(source.tokens[index].line) {
            switch source.word(at: index) {
            case "append": hasRead = false
            case "read" where source.word(at: index - 2) == "ledger":
                if hasRead {
                    findings.append(
                        source.finding(source.tokens[index].line, "a second snapshot")
                    )
                }
                hasRead = true
            default: break
            }
        }
        return findings
    }
}
