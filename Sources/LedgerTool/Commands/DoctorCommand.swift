import ArgumentParser
import RowFormats
import TripLedger

/// The command `ledger doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says how the ledger is, and what to do about it.",
        discussion: """
            One page: its head, who signed and cosigned it, its files and who may read them, its \
            views, the last backup and scrub, and commands that help. Nothing is changed but that \
            readers of dead processes are cleared, and nothing is read in full, no signature \
            checked: `ledger verify` does that.

            Exit codes: 0, or 1 if the log cannot be read.

            Examples:
              ledger doctor
              ledger doctor --format json
            """
    )

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let now = WallClock.now
        let health = LedgerHealth(at: try options.path, process: LedgerScanner.process)
        let report = try health.report(now: now)
        let shown = ShownHealth(report, now: now)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
        if !report.isReadable { throw ExitCode(1) }
    }
}
