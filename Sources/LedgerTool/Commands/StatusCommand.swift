import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Says what is in the ledger and whether a trip is going on.",
        discussion: """
            Sources are shown as they are now, or at the moment that --as-of names: whether the \
            signal is lost, and what has ended because nothing was reported. Nothing of that is \
            stored.

            Examples:
              ledger status
              ledger status --as-of 2026-03-14T09:00:00+01:00
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "The moment to look at: RFC 3339, or milliseconds since 1970 (default: now).",
            valueName: "time"
        )
    )
    var asOf: EventTime?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let instant = asOf?.timestamp ?? WallClock.now
        let shown = ShownStatus(try ledger.status(asOf: instant), path: ledger.path)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try shown.writeText(to: output)
            }
        }
    }
}
