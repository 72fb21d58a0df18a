import ArgumentParser
import TripLedger

/// The command `ledger changes`.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Lists what people decided about trips that are not there.",
        discussion: """
            Late data can change where a trip starts, and with that its id. Decisions about it \
            then go to the trip that was under way at its start. If there was none they are kept \
            and listed here.

            Example:
              ledger changes --orphans
            """
    )

    @OptionGroup var options: GlobalOptions

    @Flag(help: "List decisions about trips that are not there.")
    var orphans = false

    func validate() throws {
        guard orphans else { throw ValidationError("Say which changes: --orphans.") }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let orphans = try ledger.orphans().map { ShownOrphan($0) }
        try Output.standard.writing { output in
            if options.format == .csv { try output.write(CSVRow(titles: ShownOrphan.titles)) }
            for (index, orphan) in orphans.enumerated() {
                switch options.format {
                case .text: try output.write((index == 0 ? "" : "\n") + orphan.text)
                case .json: try output.writeLine(orphan.json)
                case .csv: try output.write(orphan.csv)
                }
            }
        }
        if orphans.isEmpty, options.format == .text {
            Diagnostic.say("Every decision is about a trip that is there.\n")
        }
    }
}
