import ArgumentParser
import LedgerKeeping
import Platform
import Proofs
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger witness`.
struct WitnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Remembers heads of other people's ledgers, and cosigns them.",
        discussion: """
            It is for the accountant's machine and needs no ledger. A ledger that only its owner \
            signs proves nothing about the time before another person had a copy of its head: a \
            witness is that person. It cosigns a head only if everything it saw before is still \
            there, unchanged.

            Examples:
              ledger witness init accountant.example
              ledger witness cosign head.note --key VKEY > cosigned.note
              ledger witness cosign consistency.proof > cosigned.note
              ledger witness add VKEY; ledger serve --witness
              ledger witness show
            """,
        subcommands: [
            WitnessInitCommand.self,
            WitnessAddCommand.self,
            WitnessCosignCommand.self,
            WitnessShowCommand.self,
        ]
    )
}

/// The command `ledger witness init`.
struct WitnessInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a witness's key, and a directory for what it sees.",
        discussion: """
            Give the verifier key to people who are to demand the witness's cosignature.

            Example:
              ledger witness init accountant.example
            """
    )

    @OptionGroup var options: WitnessOptions

    @Argument(help: "The witness's name, without spaces and +, such as accountant.example.")
    var name: KeyName

    func run() throws {
        let book = try WitnessBook.create(at: options.path, name: name)
        let key = PublishedKey(book.verifier, in: book.keyPath.string)
        try Output.show(key, as: options.format) { "Made a witness.\n" + $0.text }
    }
}

/// The command `ledger witness add`.
struct WitnessAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Takes note of a ledger's key, so that its heads can be cosigned.",
        discussion: """
            After that, `ledger serve --witness` cosigns the heads that the ledger's owner sends, \
            and `ledger witness cosign` needs no --key. Compare the fingerprint with the owner by \
            another way: `ledger key show` prints both.

            Example:
              ledger witness add VKEY
            """
    )

    @OptionGroup var options: WitnessOptions

    @Argument(
        help: ArgumentHelp("The verifier key of the ledger's owner.", valueName: "vkey"),
        transform: NamedKey.verifierKey
    )
    var key: VerifierKey

    func validate() throws {
        guard key.kind != .cosignature else {
            throw ValidationError("This is a witness's key, not that of a ledger's owner.")
        }
    }

    func run() throws {
        let book = try WitnessBook(at: options.path, notice: Diagnostic.waiting)
        let isNew = try book.add(key)
        try Output.show(try WitnessPage(book), as: options.format) { _ in
            isNew
                ? "The witness knows \(key.name) from now on. Fingerprint: \(key.fingerprint)\n"
                : "The witness knew \(key.name) with this key already.\n"
        }
    }
}

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
        ),
        completion: .file()
    )
    var request: String

    @Option(
        help: ArgumentHelp(
            "The verifier key of the ledger's owner; needed once.",
            valueName: "vkey"
        ),
        transform: NamedKey.verifierKey
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
        try Output.show(PrintedHead(head), as: options.format, text: \.text)
    }
}

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
        let page = try WitnessPage(WitnessBook(at: options.path))
        try Output.show(page, as: options.format, text: \.text)
    }
}

/// The directory where a witness keeps its book.
struct WitnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The witness's directory (default: ~/.local/state/ledger/witness).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var directory: String?

    @Option(name: .customLong("format"), help: "How results are written.")
    var choice: PlainFormat = .text

    /// The format of results.
    var format: RowFormat { choice.rows }

    /// The witness's directory.
    var path: FilePath {
        get throws { try directory.map { FilePath($0) } ?? WitnessBook.defaultPath() }
    }
}

/// A witness and what it has seen.
struct WitnessPage: Tabular {
    private let key: PublishedKey
    private let logs: [Log]

    init(_ book: WitnessBook) throws(LedgerError) {
        let verifier = book.verifier
        key = PublishedKey(verifier, in: book.keyPath.string)
        logs = try book.logs().map { Log(witnessed: $0, verifier: verifier) }
    }

    /// The witness's key, and the last head of each log: `witness.v1.schema.json`.
    static let columns = Columns<WitnessPage> {
        PublishedKey.columns.of { $0.key }
        Column.rows("logs", Log.columns) { $0.logs }
    }

    /// The witness's key, then a paragraph for each log.
    var text: String {
        Self.columns.facts(self).text(width: Screen.columnCount)
            + logs.map { "\n" + Log.columns.facts($0).text(width: Screen.columnCount) }.joined()
    }

    /// The last head of a log that the witness has cosigned.
    private struct Log: Tabular {
        let witnessed: WitnessedLog
        let verifier: VerifierKey

        static let columns = Columns<Log> {
            Column.text("origin", "Ledger") { $0.witnessed.owner.name.description }
            Column.text("verifier_key") { $0.witnessed.owner.description }
            Column.integer("size", "Entries") { $0.witnessed.head?.head.size }
            Column.name("root", "Root") { $0.witnessed.head?.head.root.description }
            Column.instant("cosigned_at", "Cosigned") { $0.cosignedAt }
                .shown(as: { $0.cosignedAt.map { .name(RFC3339.text($0)) } ?? .none })
            Column.text("note") { log in
                log.witnessed.head.map { String(decoding: $0.note.bytes, as: UTF8.self) }
            }
            Column.shown("Its key") { .text($0.witnessed.owner.description) }
        }

        private var cosignedAt: Timestamp? {
            witnessed.head?.note.cosignedAt(by: verifier)
                .flatMap(Timestamp.init(secondsSince1970:))
        }
    }
}
