/// Nothing is left for later on the main branch: no notes to oneself in comments.
struct UnfinishedRule: HouseRule {
    private static let marks: Set = ["TODO", "FIXME", "XXX"]

    func findings(in source: SwiftSource) -> [Finding] {
        Self.findings(in: source.commentLines, path: source.path)
    }

    /// Returns the marks in the lines of any text.
    static func findings(in lines: [String], path: String) -> [Finding] {
        lines.enumerated()
            .flatMap { index, line in
                line.split { !$0.isLetter }.filter { marks.contains(String($0)) }
                    .map { Finding(path: path, line: index + 1, message: "an unfinished \($0)") }
            }
    }
}
