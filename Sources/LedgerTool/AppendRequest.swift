import ArgumentParser
import TripLedger

/// What `ledger append` is to do.
struct AppendRequest {
    /// The directory of the ledger, or `nil` for the usual one.
    var ledger: String?

    /// Files of events, `-` for standard input; if there are none, standard input.
    var files: [String] = []

    /// How events are taken in.
    var intake = IntakeOptions(answersEveryLine: false)

    /// Appends the events and says what became of them.
    ///
    /// - Throws: `ExitCode` if some were not accepted, or a file could not be read.
    func run() throws {
        let ledger = try GlobalOptions.open(ledger)
        defer { ledger.close() }
        var ending = ExitCode.success
        do {
            try Output.standard.writing { output in
                let report = AppendReport(on: output, showsReceipts: intake.answersEveryLine)
                var files = EventFiles(files.isEmpty ? ["-"] : files, report: report)
                let summary = try files.append(to: ledger, options: intake)
                report.finish(summary)
                try output.writeLine(SummaryJSON(summary).json)
                if !summary.isComplete { ending = ExitCode(1) }
                if files.hasUnreadable {
                    ending = ExitCode(LedgerError.Code.unreadableInput.exitCode)
                }
            }
        } catch var error as OutputError {
            error.afterword = "What was stored is recognised when it is sent again.\n"
            throw error
        }
        if ending != .success { throw ending }
    }
}
