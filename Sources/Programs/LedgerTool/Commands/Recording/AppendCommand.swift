import ArgumentParser
import Importers
import LedgerKeeping
import LedgerRows
import Platform
import Tables
import TripLedger

/// The command `ledger append`.
struct AppendCommand: ParsableCommand {
    static let name = "append"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Appends events, or what another app recorded, and says what became of them.",
        discussion: """
            Examples:
              ledger append drive.jsonl
              ledger append track.gpx --source car-logger --vehicle van
              ledger append takeout.zip
              ledger append box.jsonl --group 17
              ledger append trips.csv --suggest-map > columns.json
              ledger append trips.csv --map columns.json
              ledger simulate tunnel | ledger append
              tail -f phone.jsonl | ledger append --receipts
              ledger --ledger old log --format json | ledger --ledger new append

            A terminal, or --format text, gets the trips that came of it; a pipe one line of \
            JSON (`ledger schema summary`).

            Takes lines of JSON, one event each (`ledger schema event`), or {"events":[…]}, and \
            the formats of others, also compressed or in an archive: \(Self.formats). The content \
            says which one it is. What is there already is a duplicate, and harmless. A line that \
            is no acceptable event is left out, and said; the others are safe on disk before they \
            are answered. `ledger help files` says more.
            """
    )

    /// The formats of others, for people.
    static let formats = ImportFormat.allCases.filter { $0 != .jsonl }.map(\.title)
        .joined(separator: ", ")

    @OptionGroup var book: LedgerOption

    @Option(help: "How the answer is written (else text on a terminal).")
    var format: PlainFormat?

    @Argument(
        help: "Files, archives or directories; - or none for standard input.",
        completion: .file()
    )
    var file: [String] = []

    @OptionGroup var form: InputFormOptions

    @OptionGroup var followUp: FollowUpOptions

    @Option(help: SourceGroup.help)
    var group: SourceGroup?

    @Flag(help: "Write a line of JSON for each event once it is stored.")
    var receipts = false

    @Flag(help: "List the trips that began or changed by it.")
    var trips = false

    @Flag(help: "Refuse members that events of a type do not have.")
    var strict = false

    @Flag(help: "Append everything or, if a line is refused, nothing.")
    var allOrNothing = false

    @Option(help: "Append only if the ledger holds so many entries.")
    var expectSize: UInt64?

    @OptionGroup var replica: ReplicaOptions

    @Flag(help: "Say what would become of everything; append nothing.")
    var dryRun = false

    func validate() throws {
        guard file.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
        guard !dryRun || !receipts else {
            throw ValidationError("With --dry-run nothing is stored, so there are no --receipts.")
        }
    }

    func run() throws {
        guard !form.suggestMap else { return try MapProposal(file).run() }
        var intake = IntakeOptions(
            defaultSource: form.source,
            isStrict: strict,
            isAllOrNothing: allOrNothing,
            expectedSize: expectSize,
            answersEveryLine: receipts
        )
        intake.group = group?.name
        try AppendRequest(
            ledger: book.ledger,
            files: file,
            form: try form.form(),
            intake: intake,
            rules: followUp.preset,
            vehicle: form.vehicle,
            replicaTimeout: replica.timeout,
            isDryRun: dryRun,
            format: format?.rows,
            listsTrips: trips
        )
        .run()
    }
}
