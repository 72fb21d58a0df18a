/// Comments are statements that are read once: none begins with a question turned inside out, such
/// as "After how many days", and none speaks of everyone or no one by a pronoun.
struct PlainCommentRule: HouseRule {
    private static let prepositions: Set<Substring> = [
        "After", "Among", "As", "At", "Before", "Behind", "Beside", "Between", "Beyond", "By",
        "For",
        "From", "In", "Into", "Of", "On", "Since", "Through", "To", "Under", "Until", "With",
        "Without",
    ]
    private static let questions: Set<Substring> = [
        "how", "what", "when", "where", "which", "whom", "whose",
    ]
    private static let pronouns: Set = ["nobody", "somebody", "whoever", "whomever"]

    func findings(in source: SwiftSource) -> [Finding] {
        source.commentLines.enumerated()
            .flatMap { index, line in
                let words = line.split { !$0.isLetter }
                return Self.messages(about: words).map { source.finding(index + 1, $0) }
            }
    }

    private static func messages(about words: [Substring]) -> [String] {
        var messages = words.filter { pronouns.contains($0.lowercased()) }
            .map { "the pronoun \($0)" }
        if words.count > 1, isTurned(words[0], words[1]) {
            messages.append("a question turned inside out: \(words[0]) \(words[1]) …")
        }
        return messages
    }

    private static func isTurned(_ first: Substring, _ second: Substring) -> Bool {
        if first == "So" { return second == "many" || second == "much" }
        return prepositions.contains(first) && questions.contains(second)
    }
}
