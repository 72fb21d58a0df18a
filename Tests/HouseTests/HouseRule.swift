/// A rule that can be checked one Swift file at a time.
protocol HouseRule {
    /// Returns every place in `source` that breaks the rule, in order.
    func findings(in source: SwiftSource) -> [Finding]
}

extension HouseRule {
    /// Returns every place in `sources` that breaks the rule.
    func findings(in sources: [SwiftSource]) -> [Finding] {
        sources.flatMap { findings(in: $0) }
    }

    /// Returns the lines of `text` that break the rule, for the controls that show it can fail.
    func lines(in text: String, at path: String) -> [Int] {
        findings(in: SwiftSource(path: path, text: text)).map(\.line)
    }
}

/// A place in the repository where a rule of the house is broken.
struct Finding: Hashable, CustomStringConvertible {
    /// The file, relative to the repository.
    let path: String

    /// The line, one-based; 0 if the finding is about the file as a whole.
    let line: Int

    /// The message about what is wrong.
    let message: String

    var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
