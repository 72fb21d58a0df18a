import ArgumentParser
import Platform
import Projections
import Proofs
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

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
        let shown = PublishedKey(book.verifier, in: book.keyPath.string)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write("Made a witness.\n" + shown.text)
            }
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
        let shown = PrintedHead(head)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
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
        let shown = try WitnessPage(WitnessBook(at: options.path))
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
    }
}

/// Where a witness keeps its book.
struct WitnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The witness's directory (default: ~/.local/state/ledger/witness).",
            valueName: "dir"
        )
    )
    var directory: String?

    @Option(help: "How results are written: text or json.")
    var format: RowFormat = .text

    func validate() throws {
        guard format != .csv else {
            throw ValidationError(
                "--format csv works where the result is a table; use text or json here."
            )
        }
    }

    /// The witness's directory.
    var path: FilePath {
        get throws { try directory.map { FilePath($0) } ?? WitnessBook.defaultPath() }
    }
}

/// A witness and what it has seen.
struct WitnessPage {
    private let key: PublishedKey
    private let verifier: VerifierKey
    private let logs: [WitnessedLog]

    init(_ book: WitnessBook) throws(LedgerError) {
        verifier = book.verifier
        key = PublishedKey(verifier, in: book.keyPath.string)
        logs = try book.logs()
    }

    /// The witness's key, and the last head of each log.
    var text: String {
        key.text
            + logs.map { log in
                var facts = [
                    ("Ledger", Excerpt.escaped(log.owner.name.description)),
                    ("Entries", String(log.head.head.size)),
                    ("Root", log.head.head.root.description),
                ]
                if let time = cosignedAt(log.head) {
                    facts.append(("Cosigned", RFC3339.text(time)))
                }
                facts.append(("Its key", Excerpt.escaped(log.owner.description)))
                return "\n" + FactSheet(facts).text
            }
            .joined()
    }

    /// For programs (`witness.v1.schema.json`).
    var json: RowJSON {
        var json = key.json
        json.add("logs", objects: logs.map(self.json))
        return json
    }

    private func json(_ log: WitnessedLog) -> RowJSON {
        var json = RowJSON()
        json.add("origin", text: log.owner.name.description)
        json.add("verifier_key", text: log.owner.description)
        json.add("size", integer: Int64(log.head.head.size))
        json.add("root", text: log.head.head.root.description)
        json.add("cosigned_at", time: cosignedAt(log.head).map { EventTime($0) })
        json.add("note", text: String(decoding: log.head.note.bytes, as: UTF8.self))
        return json
    }

    private func cosignedAt(_ head: SignedHead) -> Timestamp? {
        head.note.cosignedAt(by: verifier).flatMap(Timestamp.init(secondsSince1970:))
    }
}
