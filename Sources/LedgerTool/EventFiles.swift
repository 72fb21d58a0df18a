import Platform
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

    /// Appends what the files hold.
    ///
    /// One that cannot be read is said to be, and keeps the others out only if it is all or
    /// nothing.
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
        do {
            for name in names {
                try takeIfReadable(name, into: &intake, isNeeded: options.isAllOrNothing)
            }
            try intake.finish()
        } catch var error as LedgerError {
            report.clear()
            let appended = intake.summary.appended
            if appended > 0 {
                let events = Count.text(appended, "event was", "events were")
                error.hint += (error.hint.isEmpty ? "" : ". ") + "Before that, \(events) appended"
            }
            throw error
        }
        return intake.summary
    }

    private mutating func takeIfReadable(
        _ name: String,
        into intake: inout Intake,
        isNeeded: Bool
    ) throws {
        do {
            try take(name, into: &intake)
        } catch let error as Errno {
            let unreadable = LedgerError(
                .unreadableInput,
                at: name,
                cause: error.description,
                hint: isNeeded ? "Nothing was appended" : ""
            )
            guard !isNeeded else { throw unreadable }
            hasUnreadable = true
            report.clear()
            Diagnostic.say(Diagnostic(unreadable).text)
        }
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
