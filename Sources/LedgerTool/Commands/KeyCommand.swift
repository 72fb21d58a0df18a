import ArgumentParser

/// The command `ledger key`.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Makes or shows the key that signs heads of the ledger.",
        discussion: """
            Whoever has the verifier key, such as your accountant, can tell a head that you have \
            signed from any other. The key itself is secret and stays with you.

            Examples:
              ledger key new
              ledger key show
            """,
        subcommands: [
            KeyNewCommand.self,
            KeyShowCommand.self,
        ]
    )
}
