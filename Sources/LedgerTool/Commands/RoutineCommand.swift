import ArgumentParser

/// The command `ledger routine`.
struct RoutineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routine",
        abstract: "Keeps templates for trips that happen again and again.",
        discussion: """
            A routine is applied by a person: with `ledger routine apply`, or by `ledger go \
            --routine`. What is said about a trip later wins.

            Examples:
              ledger routine save Office --title "To the office" --class commute
              ledger routine suggest last
              ledger routine apply last Office
            """,
        subcommands: [
            RoutineSaveCommand.self,
            RoutineApplyCommand.self,
            RoutineListCommand.self,
            RoutineSuggestCommand.self,
            RoutineRemoveCommand.self,
        ]
    )
}
