import ArgumentParser

/// What `ledger help` is asked about where that is no command: a topic, or everything.
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
                return try output.write(pages.joined(separator: "\n"))
            }
            try output.write(topic.text + "\n")
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
