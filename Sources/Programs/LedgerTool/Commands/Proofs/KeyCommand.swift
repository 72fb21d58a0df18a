import ArgumentParser
import LedgerKeeping
import Proofs
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger key`.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Makes or shows the key that signs heads of the ledger.",
        discussion: """
            A person who has the verifier key, such as your accountant, can tell a head that you \
            have signed from any other. The key itself is secret and stays with you.

            Examples:
              ledger key new
              ledger key show
            """,
        subcommands: [
            KeyNewCommand.self,
            KeyShowCommand.self,
        ]
    )
}

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

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Option(help: "Who signs, without spaces and + (default: trip-ledger/ and the ledger's id).")
    var name: KeyName?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file (default: ~/.config/ledger/keys/ and the ledger's id).",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    func validate() throws {
        try HandedOutFile.requireName(output, ofNew: "a file that only you may read")
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
        let made = PublishedKey(key.verifier(.text), in: file.path.string)
        try Output.show(made, as: options.format) { "Made a key.\n" + $0.text }
    }
}

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

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let file = try signing.file(options)
        let key = PublishedKey(try file.key().verifier(.text), in: file.path.string)
        try Output.show(key, as: options.format)
    }
}

/// The key that signs.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key's file (default: ~/.config/ledger/keys/ and the ledger's id).",
            valueName: "file"
        ),
        completion: .file()
    )
    var key: String?

    /// Returns the file that was named, or that of the ledger.
    func file(_ options: GlobalOptions<some FormatChoice>) throws -> SigningKeyFile {
        if let key { return SigningKeyFile(at: FilePath(key)) }
        let ledger = try options.open()
        defer { ledger.close() }
        return try SigningKeyFile(of: ledger)
    }

    /// Returns the file that was named, or that of an open ledger.
    func file(of ledger: Ledger) throws -> SigningKeyFile {
        try key.map { SigningKeyFile(at: FilePath($0)) } ?? SigningKeyFile(of: ledger)
    }

    /// Returns the signer: with the named key, or with the ledger's if there is one.
    func signer(of ledger: Ledger) throws -> LedgerSigner? {
        do {
            return LedgerSigner(try file(of: ledger).key(), in: try HeadStore(of: ledger))
        } catch let error as LedgerError where error.code == .notFound && key == nil {
            return nil
        }
    }
}

/// The public half of a key, for people who check its signatures.
struct PublishedKey: Tabular {
    private let file: String
    private let verifier: VerifierKey

    /// Shows the public half of a key in a file.
    init(_ verifier: VerifierKey, in file: String) {
        self.file = file
        self.verifier = verifier
    }

    /// Name, key and fingerprint: `key.v1.schema.json`.
    static let columns = Columns<PublishedKey> {
        Column.text("file", "File") { $0.file }
        Column.text("name", "Name") { $0.verifier.name.description }
        Column.name("key_id", "Key id") { $0.verifier.id.description }
        Column.text("verifier_key", "Verifier key") { $0.verifier.description }
        Column.name("fingerprint", "Fingerprint") { $0.verifier.fingerprint }
    }

    /// For people.
    var text: String { Self.columns.facts(self).text(width: Screen.columnCount) }
}
