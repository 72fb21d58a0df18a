import Foundation
import TestSupport
import Testing

/// The page of all commands is what the commands say of themselves; `RECORD=1` writes it.
@Suite struct CommandsPageTests {
    /// A command as the argument parser describes it.
    private struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var subcommands: [Command]?

        /// The rows of it and of those within it.
        ///
        /// - Parameter words: The names of those that it is within.
        /// - Returns: A row each, it first.
        func rows(within words: [String]) -> [String] {
            let words = words + [commandName]
            return ["| `\(words.joined(separator: " "))` | \(abstract ?? "") |"]
                + (subcommands ?? []).flatMap { $0.rows(within: words) }
        }
    }

    private struct Description: Decodable {
        var command: Command
    }

    /// The groups of commands in the order of `ledger help`, each with the names in it.
    private static func groups(of help: String) -> [(title: String, names: [String])] {
        help.components(separatedBy: "\n\n")
            .compactMap { part in
                let lines = part.split(separator: "\n")
                guard let title = lines.first, title.hasSuffix("SUBCOMMANDS:") else { return nil }
                let names = lines.dropFirst()
                    .compactMap { line in
                        line.prefixMatch(of: /\s\s([a-z-]+)/).map { String($0.output.1) }
                    }
                return (String(title.dropLast(" SUBCOMMANDS:".count)).capitalized, names)
            }
    }

    private static func page() throws -> String {
        let ledger = try LedgerProcess()
        let described = try LedgerProcess.describedCommands.get()
        let root = try JSONDecoder().decode(Description.self, from: described).command
        let commands = Dictionary(
            uniqueKeysWithValues: (root.subcommands ?? []).map { ($0.commandName, $0) }
        )
        var page = """
            # Commands

            All commands of `ledger`, as they describe themselves.

            ## Overview

            `ledger` alone says what the ledger is doing, and names the commands of every day;
            `ledger help` lists all, and `ledger help trips` explains one. What several have in
            common is a topic: `ledger help formats`, `columns`, `dates`, `filters`, `reports`,
            `files`, `tokens` and `server`; `ledger help all` prints everything. Results go to
            standard output, everything else to standard error. With `--format json` an error is a
            line of JSON there: code, message, place and hint (`ledger schema error`).

            Exit codes: 0 done · 1 done, but some items were not accepted, or something is wrong
            with the ledger · 2 could not tell · 64 wrong usage · 65 input, ledger or trip that
            cannot be read · 74 error of the disk or the system.

            """
        for (title, names) in groups(of: try ledger.run("help").text) {
            page += "\n## \(title)\n\n| Command | |\n|---|---|\n"
            for name in names where name != "help" {
                guard let command = commands[name] else { continue }
                page += command.rows(within: ["ledger"]).joined(separator: "\n") + "\n"
            }
        }
        return page
    }

    @Test func `the page lists every command with what it says of itself`() throws {
        let page = try Self.page()
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(page.utf8).write(to: ManualPage.commands.file)
        }
        #expect(try ManualPage.commands.text() == page)
        #expect(page.split(separator: "\n").count { $0.hasPrefix("| `ledger ") } > 80)
    }
}
