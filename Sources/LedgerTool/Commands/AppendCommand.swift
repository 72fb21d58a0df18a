import ArgumentParser
import TripLedger

/// The command `ledger append`.
struct AppendCommand: ParsableCommand {
    static let name = "append"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Appends events, one JSON object per line, and says what became of them.",
        discussion: """
            What can be read without waiting goes into one transaction, and is answered only \
            when it is safe on disk. Sending the same event again is harmless: it is recognised \
            as a duplicate. A line that is no acceptable event is passed over, and shown on \
            standard error or in its receipt; the others are appended. At the end there is one \
            line of JSON that sums up.

            Examples:
              ledger append drive.jsonl
              ledger simulate tunnel | ledger append
              tail -f phone.jsonl | ledger append --receipts

            `ledger schema event` says what a line looks like.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Files of events; - or none for standard input.")
    var file: [String] = []

    @Option(help: "The source of events that name none.")
    var source: String?

    @Flag(help: "Write a line of JSON for each event as soon as it is stored.")
    var receipts = false

    @Flag(help: "Append everything or, if one line is not acceptable, nothing.")
    var allOrNothing = false

    @Option(help: "Append only if the ledger holds exactly this many entries.")
    var expectSize: UInt64?

    func validate() throws {
        try options.refuseCSV()
        guard file.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Standard input can be read only once.")
        }
    }

    func run() throws {
        let intake = IntakeOptions(
            defaultSource: source,
            isAllOrNothing: allOrNothing,
            expectedSize: expectSize,
            answersEveryLine: receipts
        )
        try AppendRequest(ledger: options.ledger, files: file, intake: intake).run()
    }
}
