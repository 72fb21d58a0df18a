import ArgumentParser
import Proofs
import RowFormats
import TripLedger

/// The command `ledger witness cosign`.
struct WitnessCosignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cosign",
        abstract: "Cosigns a head if nothing that was seen before has changed.",
        discussion: """
            The first head of a ledger needs its owner's verifier key; later ones need a proof \
            from the last one that was cosigned, which `ledger prove --consistency` prints. The \
            result is the head with your cosignature: send it back to the owner, who keeps it with \
            `ledger head --keep`.

            Examples:
              ledger witness cosign head.note --key VKEY > cosigned.note
              ledger witness cosign consistency.proof > cosigned.note
            """
    )

    @OptionGroup var options: WitnessOptions

    @Argument(
        help: ArgumentHelp(
            "A signed head, or a consistency proof with one; - is standard input.",
            valueName: "file"
        )
    )
    var request: String

    @Option(
        help: ArgumentHelp(
            "The verifier key of the ledger's owner; needed once.",
            valueName: "vkey"
        )
    )
    var key: VerifierKey?

    func validate() throws {
        guard key?.kind != .cosignature else {
            throw ValidationError("--key is a witness's key, not that of a ledger's owner.")
        }
    }

    func run() throws {
        let bytes = try InputFile.bytes(of: request)
        let book = try WitnessBook(at: options.path, notice: Diagnostic.waiting)
        let head = try book.cosign(bytes, from: request, owner: key, now: WallClock.now)
        let shown = ShownHead(head)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
    }
}
