import Foundation

/// Every name that the sources declare is used there, and every symbol that a comment links to is
/// one of theirs.
struct UnusedNameRule {
    /// Names that only others call: requirements of the standard library, the argument parser,
    /// result builders, and what handles requests and connections.
    private static let calledByOthers: Set = [
        "allValueStrings", "appendLiteral", "buildArray", "buildBlock", "customMirror",
        "defaultCompletionKind",
        "respond", "handlerAdded", "channelRead", "channelWritabilityChanged", "channelInactive",
        "InboundIn", "InboundOut", "OutboundIn", "OutboundOut",
    ]

    private static let declarations = [
        "func", "var", "let", "struct", "class", "enum", "typealias", "protocol",
    ]

    /// How often each word stands outside of comments.
    private let uses: [Substring: Int]

    /// Counts the words of sources.
    init(_ sources: [SwiftSource]) {
        // The text of strings counts as well, for there may be code in it.
        uses = sources.reduce(into: [:]) { uses, source in
            for (line, comment) in zip(source.lines, source.commentLines) {
                let code = comment.trimmed.isEmpty ? line : Self.withoutComment(line)
                for word in Self.words(of: code) { uses[word, default: 0] += 1 }
            }
        }
    }

    /// Returns the names that a file declares and no file uses.
    func unused(in source: SwiftSource) -> [Finding] {
        source.tokens.indices.compactMap { index in
            guard Self.declarations.contains(source.word(at: index)) else { return nil }
            let name = source.word(at: index + 1)
            guard uses[Substring(name)] == 1, !Self.calledByOthers.contains(name)
            else { return nil }
            return source.finding(source.tokens[index].line, "nothing uses \(name)")
        }
    }

    /// Returns the links of a file's comments to symbols that no file has.
    func brokenLinks(in source: SwiftSource) -> [Finding] {
        source.commentLines.enumerated()
            .flatMap { index, line in
                line.matches(of: /``([^`]+)``/)
                    .flatMap { link in link.output.1.split(separator: "/") }
                    .compactMap { Self.words(of: String($0)).first }
                    .filter { uses[$0] == nil }
                    .map { source.finding(index + 1, "there is no \($0) to link to") }
            }
    }

    private static func words(of text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }

    private static func withoutComment(_ line: String) -> String {
        String(line.prefix(upTo: line.range(of: "//")?.lowerBound ?? line.endIndex))
    }
}
