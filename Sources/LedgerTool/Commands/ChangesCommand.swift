import ArgumentParser
import RowFormats
import TripEvents
import TripLedger

/// The command `ledger changes`.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Lists what was appended after a head or a date, and what it changed.",
        discussion: """
            With --since, what an auditor asks: which trips that had ended are others now, which \
            were added afterwards, who edited, adjusted, voided, merged or split earlier trips, \
            what was erased and why. A head is the file of a signed one, or its size, a colon and \
            its root as a report prints them; the log must begin with its entries. A date is that \
            of storing: what happened before may have come in later. Signatures are checked by \
            `ledger verify`.

            With --orphans, decisions about trips that are not there. Late data can change where \
            a trip starts, and with that its id. Decisions about it then go to the trip that was \
            under way at its start. If there was none they are kept and listed.

            Examples:
              ledger changes --since paper.note
              ledger changes --since 2026-01-01
              ledger changes --since 1041 --format json
              ledger changes --orphans
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp(
            "List what came after a signed head (a file, or - for standard input), SIZE:ROOT, so "
                + "many entries, a day or a time.",
            valueName: "head|date"
        )
    )
    var since: ChangesSince?

    @Flag(help: "List decisions about trips that are not there.")
    var orphans = false

    func validate() throws {
        guard orphans != (since != nil) else {
            throw ValidationError("Say which changes: --since HEAD, --since DATE or --orphans.")
        }
        if since != nil { try options.refuseCSV() }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        guard let since else { return try showOrphans(of: ledger) }
        let start = try since.start(in: ledger)
        let shown = ShownChanges(
            try ledger.read { try $0.changes(since: start) },
            from: start,
            unit: ledger.founding.units
        )
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(json: shown.changes)
            case .text, .csv: try shown.writeText(to: output)
            }
        }
    }

    private func showOrphans(of ledger: Ledger) throws {
        let orphans = try ledger.read { try $0.orphans() }
        try options.showEach(orphans)
        if orphans.isEmpty, options.format == .text {
            Diagnostic.say("Every decision is about a trip that is there.\n")
        }
    }
}
