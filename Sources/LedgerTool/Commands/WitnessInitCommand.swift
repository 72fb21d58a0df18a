import ArgumentParser
import Proofs
import RowFormats
import SystemPackage
import TripLedger

/// The command `ledger witness init`.
struct WitnessInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a witness's key, and a directory for what it sees.",
        discussion: """
            Give the verifier key to whoever has to demand the witness's cosignature.

            Example:
              ledger witness init accountant.example
            """
    )

    @OptionGroup var options: WitnessOptions

    @Argument(help: "The witness's name, without spaces and +, such as accountant.example.")
    var name: KeyName

    func run() throws {
        let book = try WitnessBook.create(at: options.path, name: name)
        let shown = ShownKey(book.verifier, in: book.keyPath.string)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write("Made a witness.\n" + shown.text)
            }
        }
    }
}
