import ArgumentParser

/// The command `ledger rules`.
struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Shows or changes the rules by which fixes become trips.",
        discussion: """
            Rules that are adopted are events like all others: trips from then on go by them, and \
            a trip that is under way keeps those that it started with.

            Examples:
              ledger rules show
              ledger rules preset logger --source black-box
              ledger rules set silence_seconds=300 --from 2026-01-01T00:00:00+01:00
            """,
        subcommands: [RulesShowCommand.self, RulesPresetCommand.self, RulesSetCommand.self]
    )
}
