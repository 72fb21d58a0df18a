import Foundation
import LedgerTestSupport
import Testing

/// What the command says about itself fits a screen.
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
        let described = try ledger.run("--experimental-dump-help").output
        let root = try JSONDecoder().decode(Description.self, from: described).command
        var exampleCount = 0
        for (words, discussion) in root.all() where words != ["help"] {
            let examples = discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            exampleCount += examples.count
            let lines = try ledger.run(["help"] + words).lines
            for example in examples {
                #expect(lines.contains(String(example)), "\(words): \(example)")
                #expect(example.count <= 80)
            }
        }
        #expect(exampleCount > 100)
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
