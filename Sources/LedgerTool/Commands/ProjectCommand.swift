import ArgumentParser
import RowFormats
import TripLedger

/// The command `ledger project`.
struct ProjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "project",
        abstract: "Brings the views up to date with the log.",
        discussion: """
            Views, such as the list of trips, are derived from the log and nothing else. Commands \
            that show them do this by themselves. With --check, views are derived again in memory \
            and every stored row that differs is printed; then the exit code is 1.

            Examples:
              ledger project
              ledger project --rebuild
              ledger project --check
            """
    )

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Make the views anew, beside the old ones, and swap them.")
    var rebuild = false

    @Flag(help: "Change nothing; print every row that is not what the log says.")
    var check = false

    func validate() throws {
        try options.refuseCSV()
        guard !rebuild || !check else {
            throw ValidationError("--check changes nothing and --rebuild does: use one of them.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        if check {
            try compare(ledger)
        } else {
            let report = try ledger.project(isRebuild: rebuild)
            let shown = ShownProjection(report)
            try Output.standard.writing { output in
                switch options.format {
                case .json: try output.writeLine(shown.json)
                case .text, .csv: try output.write(shown.text)
                }
            }
        }
    }

    private func compare(_ ledger: Ledger) throws {
        let differences = try ledger.checkViews().map { ShownDifference($0) }
        try Output.standard.writing { output in
            for difference in differences {
                switch options.format {
                case .json: try output.writeLine(difference.json)
                case .text, .csv: try output.writeLine(difference.text)
                }
            }
        }
        if differences.isEmpty, options.format == .text {
            Diagnostic.say("Every row is what the log says.\n")
        }
        guard differences.isEmpty else {
            Diagnostic.say("Make the views anew with `ledger project --rebuild`.\n")
            throw ExitCode(1)
        }
    }
}
