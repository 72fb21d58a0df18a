import ArgumentParser
import Tables

/// A page of help as people read it: what the command does, then examples, then the rest.
struct HelpPage {
    /// What the paragraph with examples begins with.
    private static let examples = ["Examples:", "Example:"]

    private static let overview = "OVERVIEW: "
    private static let usage = "USAGE: "

    /// The page, without a line end behind its last line.
    let text: String

    /// Takes a page as the argument parser makes it; a text that is no such page stays as it is.
    init(_ page: String) {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard page.hasPrefix(Self.overview),
            let usage = lines.firstIndex(where: { $0.hasPrefix(Self.usage) })
        else {
            text = page
            return
        }
        var paragraphs = lines[..<usage].split(separator: "").map { $0.joined(separator: "\n") }
        let index = paragraphs.firstIndex { Self.examples.contains(where: $0.hasPrefix) }
        if let index {
            paragraphs.insert(paragraphs.remove(at: index), at: 1)
        }
        // The parser breaks all lines of a page but this one.
        paragraphs.append(TextStyle.screen.wrapped(String(lines[usage])))
        var options = lines[(usage + 1)...].drop { $0.isEmpty }
        while options.last?.isEmpty ?? false { options.removeLast() }
        if !options.isEmpty { paragraphs.append(options.joined(separator: "\n")) }
        text = paragraphs.joined(separator: "\n\n")
    }

    /// Makes the page of a command.
    init(of command: any ParsableCommand.Type) {
        self.init(LedgerCommand.helpMessage(for: command))
    }
}
