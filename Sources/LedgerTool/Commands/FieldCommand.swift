import ArgumentParser

/// The command `ledger field`.
struct FieldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "field",
        abstract: "Defines or lists the custom fields of trips.",
        discussion: """
            Examples:
              ledger field define project --type select --option P-17 --option P-18
              ledger field list
              ledger edit last --field project=P-17
            """,
        subcommands: [FieldDefineCommand.self, FieldListCommand.self]
    )
}
