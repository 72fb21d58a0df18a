import ArgumentParser
package import LedgerKeeping
import Papers
import Platform
package import Proofs
import Reports
package import Tables
import TripEvents
import TripLedger

/// The command `ledger head`.
struct HeadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "head",
        abstract: "Shows or signs the head of the log: what commits to every entry.",
        discussion: """
            A signed head that another person keeps, such as your accountant, shows later that \
            nothing before it was changed. Signing reads the new entries back and hashes them \
            again, and refuses if the log does not contain what was signed before.

            With --sign and --signed the result is a C2SP signed note, ready to be sent. A copy \
            stays in the ledger's directory and one in ~/.local/state/ledger/heads.

            --stamp asks an authority for the time (RFC 3161) to stamp the signed head: the answer \
            is checked and kept beside it, and shows that the entries were there then, even to one \
            who suspects that the driver made a whole new ledger. --witnesses asks each witness of \
            a C2SP policy, with lines `witness NAME VKEY URL`, to cosign it. They are asked by \
            `ledger-sync`, which stands beside `ledger`; the head alone is sent. Exit code 1: a \
            witness has not cosigned.

            Examples:
              ledger head
              ledger head --sign > head.note
              ledger head --signed --qr
              ledger head --keep cosigned.note
              ledger head --sign --stamp http://timestamp.example --stamps authority.pem
              ledger head --witnesses witnesses.txt
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var signing: SigningOptions

    @Flag(help: "Sign the head of the log as it is now.")
    var sign = false

    @Flag(help: "Show the last head that was signed.")
    var signed = false

    @Option(
        help: ArgumentHelp(
            "Keep the last signed head with the cosignatures that came back in this file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var keep: String?

    @OptionGroup var others: AskedOthers

    @Flag(name: .customLong("qr"), help: "Show the signed head as a QR code, for a camera.")
    var isQRCode = false

    func validate() throws {
        guard [sign, signed, keep != nil].filter(\.self).count <= 1 else {
            throw ValidationError("--sign, --signed and --keep exclude one another.")
        }
        guard keep == nil || !others.areNamed else {
            throw ValidationError("--stamp and --witnesses go with --sign or --signed.")
        }
        guard !isQRCode || sign || signed, !isQRCode || options.format == .text else {
            throw ValidationError("--qr goes with --sign or --signed, and not with --format json.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let files = try others.files()
        var head = try head(of: ledger)
        var areComplete = true
        if others.areNamed {
            let store = try HeadStore(of: ledger)
            let last = try store.requireLast()
            let answers = try others.ask(about: last, of: ledger, in: store, with: files)
            areComplete = answers.areComplete
            head = PrintedHead(try store.requireLast(), answers)
        }
        try Output.show(head, as: options.format) { head in
            try isQRCode ? Self.code(head.note ?? "") : head.text
        }
        if !areComplete { throw ExitCode(1) }
    }

    private func head(of ledger: Ledger) throws -> PrintedHead {
        let store = try HeadStore(of: ledger)
        if sign {
            let key = try signing.file(of: ledger).key()
            let signed = try ledger.signHead(with: key, in: store)
            try ledger.noteSigned(signed, at: WallClock.now)
            return PrintedHead(signed)
        }
        if let keep {
            try ledger.keepCosigned(HandedOverFile.head(keep), from: keep, in: store)
        } else if !signed {
            return PrintedHead(try ledger.head())
        }
        return PrintedHead(try store.requireLast())
    }

    private static func code(_ text: String) throws -> String {
        guard let code = QRCode(Array(text.utf8)) else {
            throw ValidationError("The head has too many signatures for a QR code.")
        }
        return code.text
    }
}

/// A tree head, signed or not.
struct PrintedHead: Tabular {
    private let size: UInt64
    private let root: String
    private let signed: SignedHead?
    private let answers: AskedOthers.Answers?

    /// Shows the head of the log as it is.
    init(_ head: LedgerHead) {
        size = head.size
        root = head.root
        signed = nil
        answers = nil
    }

    /// Shows a signed head, with the answers of the parties that were asked about it.
    init(_ signed: SignedHead, _ answers: AskedOthers.Answers? = nil) {
        size = signed.head.size
        root = signed.head.root.description
        self.signed = signed
        self.answers = answers
    }

    /// Size and root and, for programs, the note and who signed it: `head.v1.schema.json`.
    static let columns = Columns<PrintedHead> {
        Column.integer("size", "Entries") { $0.size }
        Column.name("root", "Root") { $0.root }
        Column.shown("In notes") { head in
            LedgerHead(size: head.size, root: head.root).rootInNotes.map { .name($0) } ?? .none
        }
        Column.text("origin") { $0.signed?.content.origin }.optional
        Column.rows("signatures", NoteSignature.columns) { $0.signed?.note.signatures ?? [] }
            .optional(onlyWhere: { $0.signed != nil })
        Column.text("note") { $0.note }.optional
        Column.row("stamp", HeadStamps.Statement.columns) { $0.answers?.stamp }.optional
        Column.rows("cosignatures", Cosignature.columns) { $0.cosignatures }
            .optional(onlyWhere: { $0.answers?.cosigners != nil })
    }

    /// The cosignatures of the witnesses who were asked.
    private var cosignatures: [Cosignature] {
        (answers?.cosigners ?? [])
            .map { key in
                let seconds = signed?.note.cosignedAt(by: key)
                let time = seconds.flatMap(Timestamp.init(secondsSince1970:))
                return Cosignature(name: key.name.description, cosignedAt: time)
            }
    }

    /// Size and root; of a signed head the note itself, byte for byte, except on a screen: a note
    /// may hold lines that others have written, and a terminal would execute control sequences in
    /// them.
    var text: String {
        guard let note else { return Self.columns.facts(self).text(width: Screen.columnCount) }
        guard Terminal.isStandardOutput else { return note }
        return note.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Excerpt.escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// The signed head's note.
    var note: String? { signed.map { String(decoding: $0.note.bytes, as: UTF8.self) } }
}

/// A cosignature that a witness gave when it was asked.
struct Cosignature: Tabular {
    fileprivate let name: String
    fileprivate let cosignedAt: Timestamp?

    /// Who saw the head, and when.
    static let columns = Columns<Cosignature> {
        Column.text("name") { $0.name }
        Column.instant("cosigned_at") { $0.cosignedAt }.optional
    }
}

extension HeadStamps.Statement: Tabular {
    /// Who stamped a head, when, and where the stamp is kept.
    package static let columns = Columns<HeadStamps.Statement> {
        Column.text("authority") { $0.authority }
        Column.instant("time") { $0.time }
        Column.text("file") { $0.file }
    }
}

extension NoteSignature: Tabular {
    /// Who signed a note, with which key.
    package static let columns = Columns<NoteSignature> {
        Column.text("name") { $0.name.description }
        Column.name("key_id") { $0.id.description }
    }
}
