import ArgumentParser
import Proofs
import RowFormats
import SystemPackage
import TripLedger

/// The command `ledger key show`.
struct KeyShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints what others check the key's signatures with.",
        discussion: """
            Nothing that is printed is secret. The fingerprint is made of the verifier key: if you \
            and your accountant read the same eight numbers, the key is yours.

            Examples:
              ledger key show
              ledger key show --key anna.key
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var signing: SigningOptions

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let file = try signing.file(options)
        let shown = ShownKey(try file.key().verifier(.text), in: file.path.string)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
    }
}
