import ArgumentParser

/// The command `ledger report`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes what is handed to others: the mileage log.",
        discussion: """
            A report follows from the log alone: the same entries give the same bytes.

            Example:
              ledger report log --year 2025
            """,
        subcommands: [
            ReportLogCommand.self
        ]
    )
}
