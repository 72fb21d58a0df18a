import ArgumentParser
import TripLedger

/// The command `ledger void`.
struct VoidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "void",
        abstract: "Voids a trip: it stays in the log and counts nowhere.",
        discussion: """
            Nothing is deleted: the trip stays in `ledger trips --all` with what was measured, and \
            `ledger restore` brings it back.

            Example:
              ledger void 6c1f --why "The car was on a ferry"
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @OptionGroup var selection: TripSelection

    @Option(help: "Why; people who read the book later see it.")
    var why: String

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try selection.decide(decision, in: ledger, options) { .void($0, why: why) }
    }
}

/// The command `ledger restore`.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Undoes the void, adjust, merge, split and exclude commands for a trip.",
        discussion: """
            The trip is again what was measured or reported. What was said about it with \
            `ledger edit` stays. Options such as --year mean the trips of which there is something \
            to undo.

            Examples:
              ledger restore 6c1f --why "It was a trip after all"
              ledger restore --to-place Supermarket --month 2026-03
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @OptionGroup var selection: TripSelection

    @Option(help: "Why; people who read the book later see it.")
    var why: String?

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try selection.decide(
            decision,
            in: ledger,
            options,
            among: .restorable,
            about: { .restore($0, why: why) }
        )
    }
}
