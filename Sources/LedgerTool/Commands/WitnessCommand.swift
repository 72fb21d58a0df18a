import ArgumentParser

/// The command `ledger witness`.
struct WitnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Remembers heads of other people's ledgers, and cosigns them.",
        discussion: """
            It is for the accountant's machine and needs no ledger. A ledger that only its owner \
            signs proves nothing about the time before somebody else had a copy of its head: a \
            witness is that somebody. It cosigns a head only if everything it saw before is still \
            there, unchanged.

            Examples:
              ledger witness init accountant.example
              ledger witness cosign head.note --key VKEY > cosigned.note
              ledger witness cosign consistency.proof > cosigned.note
              ledger witness show
            """,
        subcommands: [
            WitnessInitCommand.self,
            WitnessCosignCommand.self,
            WitnessShowCommand.self,
        ]
    )
}
