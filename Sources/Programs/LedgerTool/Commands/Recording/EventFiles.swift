import Importers
import Platform
import ServerStore
import SystemPackage
import TripEvents
import TripLedger

/// Files of events that are read one after the other.
struct EventFiles {
    private let names: [String]
    private let form: InputForm
    private let report: AppendReport

    init(_ names: [String], _ form: InputForm, report: AppendReport) {
        self.names = names
        self.form = form
        self.report = report
    }

    /// Appends what the files hold.
    ///
    /// A file that cannot be read is reported, and blocks the others only if all or nothing was
    /// requested.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - options: How they are taken in.
    ///   - confirmation: Waits until a second server has what is answered; `nil` if the disk is
    ///     enough.
    /// - Returns: The sums over everything.
    /// - Throws: `LedgerError`, `OutputError`.
    func append(
        to ledger: Ledger,
        options: IntakeOptions,
        confirmedBy confirmation: ReplicaConfirmation?
    ) throws -> IntakeSummary {
        var intake = try Intake(
            into: ledger,
            options: options,
            now: { WallClock.now },
            onReceipt: report.add,
            onProgress: report.progress
        )
        intake.confirm = confirmation.map { confirmation in
            { size in _ = try confirmation.wait(upTo: size) }
        }
        var opener = InputOpener(form) { [report] error in
            guard !options.isAllOrNothing else {
                var error = error
                error.hint = "Nothing was appended"
                throw error
            }
            try report.add(error)
        }
        var digests = FileDigests(report: report)
        do {
            for name in names {
                if name == "-", Terminal.isStandardInput {
                    Diagnostic.say("Reading events from the keyboard; Ctrl-D ends them.\n")
                }
                try opener.open(name) { input, stream in
                    try take(&input, from: stream, into: &intake, &digests)
                }
            }
            report.clear()
            digests.finish()
            try opener.finish()
            for _ in 0..<opener.leftCount { intake.ignore(InputOpener.leftKind) }
            if opener.emptyCount > 0 { try report.addEmpty() }
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

    private func take(
        _ input: inout ImportedInput,
        from stream: borrowing InputStream,
        into intake: inout Intake,
        _ digests: inout FileDigests
    ) throws {
        let name = input.place.name
        guard form.takesOwnEvents || !input.format.isOwn else {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "it holds events of a ledger, which only its administrator may add"
            )
        }
        let isLines = input.isLines
        // Lines do not tell how much of an archive has been read.
        let isSizeKnown = !isLines || input.place.depth == 0
        report.begin(
            AppendReport.Input(name: name, format: input.format, head: input.head),
            fileByteCount: isSizeKnown ? input.place.fileByteCount : nil
        )
        guard !isLines else {
            return try intake.take(stream, after: input.head, named: name)
        }
        // Events of the ledger's own come from their source, not from a file.
        intake.begin(name, of: input.format == .jsonl ? nil : try digests.file(of: input))
        var tally = ImportNotes.Tally(input)
        defer { report.notes.add(tally) }
        do {
            while let batch = try input.next(from: stream) {
                tally.count(batch)
                try take(batch, into: &intake)
                try intake.flush(bytesRead: input.bytesRead)
            }
        } catch let problem as ArchiveProblem {
            // Complete lines count; a cut line is covered by the error about the stream.
            var batch = input.cutOff()
            batch.removeRejections()
            tally.count(batch)
            try take(batch, into: &intake)
            try intake.flush(bytesRead: input.bytesRead)
            throw problem
        }
    }

    private func take(_ batch: ImportBatch, into intake: inout Intake) throws {
        let instant = WallClock.now
        for item in batch.items {
            let bytes = batch.bytes.span.extracting(item.range)
            switch item.outcome {
            case .event: try intake.take(bytes, of: item.record, recordedAt: instant)
            case .rejected(let rejection):
                let excerpt = Excerpt.ofLine(bytes)
                try intake.refuse(rejection, excerpt: excerpt, of: item.record)
            case .ignored(let kind): intake.ignore(kind)
            }
        }
    }
}

/// The digests of the files that inputs in other formats are in.
///
/// A file is read for it before its records are, so that all of them are stored with it.
private struct FileDigests {
    private let report: AppendReport

    /// The file that was read last: an archive has many inputs.
    private var last: (path: FilePath, digest: FileDigest)?

    init(report: AppendReport) {
        self.report = report
    }

    /// Returns the facts about an input's file that the log is to keep.
    mutating func file(of input: borrowing ImportedInput) throws -> ImportedFile {
        let place = input.place
        let name = place.path?.lastComponent?.string ?? place.fileName
        return ImportedFile(
            name,
            part: place.part,
            format: input.format.rawValue,
            digest: try place.path.map { try digest(of: $0) }
        )
    }

    private mutating func digest(of path: FilePath) throws -> FileDigest {
        if let last, last.path == path { return last.digest }
        finish()
        let digest = try FileDigest(of: path, onProgress: report.progress(hashing:))
        last = (path, digest)
        return digest
    }

    /// Says so if the last file was changed since it was read.
    mutating func finish() {
        guard let done = last else { return }
        last = nil
        guard !done.digest.isStill(at: done.path) else { return }
        Diagnostic.note(
            "\(Excerpt.escaped(done.path.string)) was changed while it was read: what the ledger "
                + "remembers of it is the SHA-256 that it had before"
        )
    }
}

extension ImportFormat {
    /// Whether its records are events of the ledger's own, which may say anything.
    fileprivate var isOwn: Bool { self == .jsonl || self == .cloudevents }
}
