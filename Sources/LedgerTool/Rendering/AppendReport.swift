import TripEvents
import TripLedger

/// What `ledger append` says while it works.
///
/// A class, because the intake tells it about lines while it also reads them.
final class AppendReport {
    /// Lines that were not appended and are shown in full.
    private static let shownProblems = 20

    private let output: Output
    private let showsReceipts: Bool
    private var problems = 0
    private var meter = ProgressMeter()

    init(on output: Output, showsReceipts: Bool) {
        self.output = output
        self.showsReceipts = showsReceipts
    }

    /// Begins with another file, whose size may be known.
    func begin(fileByteCount: Int64?) {
        meter.totalBytes = fileByteCount
    }

    /// Says what became of a line.
    func add(_ answer: LineReceipt) throws {
        if showsReceipts {
            try output.writeLine(ReceiptJSON(answer).json)
        } else if let problem = LineProblem(answer) {
            problems += 1
            guard problems <= Self.shownProblems else { return }
            meter.clear()
            Diagnostic.say(problem.text)
        }
    }

    /// Hands on the receipts of a commit, and says how far the work is.
    func progress(_ progress: Intake.Progress) throws {
        if showsReceipts { try output.flush() }
        meter.show(progress)
    }

    /// Says what became of the lines that were not appended.
    func finish(_ summary: IntakeSummary) {
        meter.clear()
        guard problems > 0 else { return }
        var text = ""
        if problems > Self.shownProblems {
            text += "ledger: error: \(problems - Self.shownProblems) more lines like these\n"
        }
        let skipped = problems == 1 ? "The line was" : "The lines were"
        let others = summary.appended == 1 ? "1 other was" : "\(summary.appended) others were"
        text += "\(skipped) skipped; \(others) appended. See `ledger schema event`.\n"
        Diagnostic.say(text)
    }
}
