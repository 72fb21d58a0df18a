import ArgumentParser
import Proofs
import RowFormats
import SystemPackage
import TripLedger

/// The command `ledger key new`.
struct KeyNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a key, and prints what others check its signatures with.",
        discussion: """
            The key is written to a file that only you may read, outside the ledger, so that a \
            copy of the ledger does not carry it. Keep a copy of the file in a safe place. Give \
            the verifier key to your accountant, and compare the fingerprint over the telephone.

            Give each ledger a name of its own: two under one name would look like a fork, so that \
            the second one is not signed.

            Examples:
              ledger key new
              ledger key new --name example.com/anna/mileage
              ledger key new --name example.com/anna/mileage --output anna.key
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "Who signs, without spaces and + (default: trip-ledger/ and the ledger's id).")
    var name: KeyName?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file (default: ~/.config/ledger/keys/ and the ledger's id).",
            valueName: "file"
        )
    )
    var output: String?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let file: SigningKeyFile
        let name: KeyName
        if let output, let given = self.name {
            file = SigningKeyFile(at: FilePath(output))
            name = given
        } else {
            let ledger = try options.open()
            defer { ledger.close() }
            file = try output.map { SigningKeyFile(at: FilePath($0)) } ?? SigningKeyFile(of: ledger)
            name = self.name ?? ledger.defaultKeyName
        }
        let key = try file.create(name: name)
        let shown = ShownKey(key.verifier(.text), in: file.path.string)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write("Made a key.\n" + shown.text)
            }
        }
    }
}
