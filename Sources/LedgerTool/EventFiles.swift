import SystemPackage
import TripLedger

/// Files of events that are read one after the other.
struct EventFiles {
    private let names: [String]
    private let report: AppendReport

    /// Whether one of them could not be read to its end.
    private(set) var hasUnreadable = false

    init(_ names: [String], report: AppendReport) {
        self.names = names
        self.report = report
    }

    /// Appends what the files hold. One that cannot be read is said to be, and keeps the others
    /// out only if it is all or nothing.
    mutating func append(
        to ledger: Ledger,
        options: IntakeOptions
    ) throws -> IntakeSummary {
        let report = report
        var intake = try Intake(
            into: ledger,
            options: options,
            now: { WallClock.now },
            onReceipt: report.add,
            onProgress: report.progress
        )
        for name in names {
            do {
                try take(name, into: &intake)
            } catch let error as Errno {
                let unreadable = LedgerError(
                    .unreadableInput,
                    at: name,
                    cause: error.description,
                    hint: options.isAllOrNothing
                        ? "Nothing was appended" : "What else there is to read was appended"
                )
                guard !options.isAllOrNothing else { throw unreadable }
                hasUnreadable = true
                Diagnostic.say(Diagnostic(unreadable).text)
            }
        }
        try intake.finish()
        return intake.summary
    }

    private func take(_ name: String, into intake: inout Intake) throws {
        if name == "-" {
            if Terminal.isStandardInput {
                Diagnostic.say("Reading events from the keyboard; Ctrl-D ends them.\n")
            }
            report.begin(fileByteCount: InputStream.standardInput.fileByteCount)
            try intake.take(.standardInput, named: name)
        } else {
            let stream = try InputStream(at: FilePath(name))
            report.begin(fileByteCount: stream.fileByteCount)
            try intake.take(stream, named: name)
        }
    }
}
