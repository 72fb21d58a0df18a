import ArgumentParser
import RowFormats
import TripLedger

/// The command `ledger witness show`.
struct WitnessShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the witness's verifier key, and what it has seen.",
        discussion: """
            Examples:
              ledger witness show
              ledger witness show --format json
            """
    )

    @OptionGroup var options: WitnessOptions

    func run() throws {
        let shown = try ShownWitness(WitnessBook(at: options.path))
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
    }
}
