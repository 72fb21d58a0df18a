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
        text = ProgramName.named(paragraphs.joined(separator: "\n\n"))
    }

    /// Makes the page of a command.
    init(of command: any ParsableCommand.Type) {
        self.init(LedgerCommand.helpMessage(for: command))
    }
}

/// An argument of `ledger help` that is not a command: a topic, or all pages.
struct TopicRequest {
    /// What asks for all pages, one after the other.
    static let everything = "all"

    /// The topic; `nil` for everything.
    private let topic: HelpTopic?

    /// Takes arguments that name a topic, or everything; `nil` for all others.
    init?(_ arguments: [String]) {
        guard arguments.count == 2, arguments[0] == NamedCommand.help else { return nil }
        topic = HelpTopic(rawValue: arguments[1])
        guard topic != nil || arguments[1] == Self.everything else { return nil }
    }

    /// Writes what was asked for.
    ///
    /// - Throws: `OutputError`.
    func answer() throws {
        try Output.standard.writing { output in
            guard let topic else {
                let pages =
                    Self.pages(of: LedgerCommand.self, named: [ProgramName.current])
                    + HelpTopic.allCases.map {
                        Self.titled([ProgramName.current, NamedCommand.help, $0.rawValue], $0.text)
                    }
                return try output.write(ProgramName.named(pages.joined(separator: "\n")))
            }
            try output.write(ProgramName.named(topic.text + "\n"))
        }
    }

    /// Returns the pages of a command and of those within it, each with its title.
    private static func pages(
        of command: any ParsableCommand.Type,
        named words: [String]
    ) -> [String] {
        var pages = [titled(words, HelpPage(of: command).text)]
        for inner in command.configuration.subcommands where inner.configuration.shouldDisplay {
            pages += self.pages(
                of: inner,
                named: words + [inner.configuration.commandName].compactMap(\.self)
            )
        }
        return pages
    }

    private static func titled(_ words: [String], _ page: String) -> String {
        "# \(words.joined(separator: " "))\n\n\(page)\n"
    }
}
