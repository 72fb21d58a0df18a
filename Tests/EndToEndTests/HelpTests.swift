import Foundation
import TestSupport
import Testing

/// The help of every command fits a screen.
@Suite struct HelpTests {
    /// A command as the argument parser describes it.
    private struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var subcommands: [Command]?

        /// It and those within it, each with the words that name it.
        func all(within words: [String] = []) -> [(words: [String], discussion: String)] {
            [(words, discussion ?? "")]
                + (subcommands ?? []).flatMap { $0.all(within: words + [$0.commandName]) }
        }
    }

    private struct Description: Decodable {
        var command: Command
    }

    @Test func `no example in the help is broken on a screen of 80 columns`() throws {
        let ledger = try LedgerProcess()
        let described = try LedgerProcess.describedCommands.get()
        let root = try JSONDecoder().decode(Description.self, from: described).command
        let pages = try Self.pages()
        var exampleCount = 0
        for (words, discussion) in root.all() where words != ["help"] {
            let examples = discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            exampleCount += examples.count
            let name = (["ledger"] + words).joined(separator: " ")
            // What is hidden has no page among all.
            let lines =
                try pages.first { $0.name == name }?.lines ?? ledger.run(["help"] + words).lines
            for example in examples {
                #expect(lines.contains(String(example)), "\(words): \(example)")
                #expect(example.count <= 80)
            }
        }
        #expect(exampleCount > 100)
    }

    /// A page of `ledger help all`.
    private struct Page {
        /// What it is about, such as `ledger rules show` or `ledger help dates`.
        var name: String

        var lines: [String] = []

        /// Whether it is that of a topic.
        var isOfTopic: Bool { name.hasPrefix("ledger help ") }

        /// Whether it is that of a command, and not that of `ledger` itself or of a topic.
        var isOfCommand: Bool { name != "ledger" && !isOfTopic }
    }

    /// The pages of `ledger help all`, which takes longer than all tests of them.
    private static let allPages = Result { try readPages() }

    private static func pages() throws -> [Page] { try allPages.get() }

    private static func readPages() throws -> [Page] {
        var pages: [Page] = []
        let text = try LedgerProcess().run("help", "all").text
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# ledger") {
                pages.append(Page(name: String(line.dropFirst(2))))
            } else if !pages.isEmpty {
                pages[pages.count - 1].lines.append(line)
            }
        }
        for index in pages.indices {
            let lines = pages[index].lines.drop(while: \.isEmpty)
            pages[index].lines = Array(lines.reversed().drop(while: \.isEmpty).reversed())
        }
        return pages
    }

    @Test func `help about a command or a topic is its page of the help about all`() throws {
        let ledger = try LedgerProcess()
        for page in Seeds.sample(of: try Self.pages()) {
            let words = page.name.split(separator: " ").dropFirst().map(String.init)
            let asked = try ledger.run(page.isOfTopic ? words : ["help"] + words)
            #expect(asked.exitCode == 0)
            let text = page.lines.joined(separator: "\n")
            #expect(asked.text.trimmingCharacters(in: .newlines) == text, "\(page.name)")
        }
    }

    @Test(arguments: [["help", "all"], ["help", "files"], ["--licences"], ["--version"]])
    func `what is of no ledger is said the same behind leading options`(words: [String]) throws {
        let process = try LedgerProcess()
        let said = try process.run(words)
        #expect(said.exitCode == 0 && !said.text.isEmpty, "\(said.errors)")
        let behind = try process.run(["--ledger", "book", "--format=json"] + words)
        #expect(behind.exitCode == 0, "\(behind.errors)")
        #expect(behind.text == said.text)
    }

    @Test func `each command explains itself in 60 lines, serve in 30, examples first`() throws {
        let pages = try Self.pages().filter(\.isOfCommand)
        #expect(pages.count > 90)
        for page in pages {
            #expect(page.lines.count <= (page.name == "ledger serve" ? 30 : 60), "\(page.name)")
            for line in page.lines where !line.hasPrefix("USAGE: ") {
                #expect(line.count <= 80, "\(page.name): \(line)")
            }
            let isGroup = page.lines.contains { $0.hasSuffix("SUBCOMMANDS:") }
            let examples = page.lines.firstIndex { ["Examples:", "Example:"].contains($0) }
            guard let examples else {
                #expect(isGroup, "\(page.name) has no examples")
                continue
            }
            #expect(page.lines.firstIndex(of: "") == examples - 1, "\(page.name)")
        }
    }

    @Test func `help that is named is there, and topics fit the width of a screen`() throws {
        let pages = try Self.pages()
        let names = Set(pages.map(\.name))
        var count = 0
        for page in pages {
            let text = page.lines.joined(separator: " ")
            for match in text.matches(of: #/`ledger +help +([a-z-]+)`/#) {
                count += 1
                let topic = String(match.1)
                #expect(
                    names.contains("ledger help \(topic)") || names.contains("ledger \(topic)")
                        || topic == "all",
                    "\(page.name): \(topic)"
                )
            }
            guard !page.isOfCommand, page.name != "ledger" else { continue }
            for line in page.lines { #expect(line.count <= 80, "\(page.name): \(line)") }
        }
        #expect(count > 6)
        let topics = names.filter { $0.hasPrefix("ledger help ") }.map { $0.dropFirst(12) }
        #expect(
            topics.sorted() == [
                "columns", "dates", "files", "filters", "formats", "reports", "server", "tokens",
            ]
        )
    }

    @Test(
        arguments: [
            "true",
            "ledger init --time-zone Europe/Amsterdam",
            """
            ledger init; ledger simulate home-to-office | ledger append
            for source in a b c d e f; do ledger go --source "the recorder number $source"; done
            """,
            "export LEDGER_DIR=\(String(repeating: "long/", count: 30))book; ledger init",
        ]
    )
    func `ledger alone fits a screen of 24 lines and 80 columns`(before: String) throws {
        let outcome = try LedgerProcess().shell("{ \(before)\n} > /dev/null; ledger")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 25, "the last one is empty")
        #expect(lines.last == "")
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(outcome.text.contains("ledger help"))
    }
}
