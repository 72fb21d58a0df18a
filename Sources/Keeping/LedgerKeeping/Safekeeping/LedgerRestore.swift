import LMDB
import Platform
import Proofs
public import SystemPackage
public import TripEvents
public import TripLedger

/// Puts a backup in the place of a ledger's log, or makes a ledger of it.
///
/// The log that was there is moved aside, never deleted, and the place does not change before the
/// backup has been read and hashed in full.
public struct LedgerRestore {
    /// The result of restoring.
    public struct Report: Hashable, Sendable {
        /// The ledger's directory.
        public var path: FilePath

        /// The ledger's id.
        public var ledger: String

        /// The head of its log now.
        public var head: LedgerHead

        /// The new path of the ledger that was there, if there was one.
        public var movedAside: FilePath?

        /// The outcome for the tokens in the backup, if it has any.
        package var tokens: ServerBackup.Restoration?

        /// The signed heads and stamps of the backup that were put back, if it has any.
        package var heads: HeadsBackup?

        /// The new paths of signed heads that the restored log does not have.
        public var headsSetAside: [FilePath] = []
    }

    /// The log that is there before.
    private struct Present {
        /// The result of reading it.
        var scan: ScanProcess.Result

        /// The first bytes of its file before it was read: every transaction changes them.
        var beginning: [UInt8]
    }

    private let path: FilePath
    private let knownHeads: [LedgerHead]
    private let process: ScanProcess

    /// Prepares to restore into the directory `path`, whose ledger is known to have had
    /// `knownHeads`; `process` reads what may be damaged.
    public init(into path: FilePath, knownHeads: [LedgerHead] = [], process: ScanProcess) {
        self.path = path
        self.knownHeads = knownHeads
        self.process = process
    }

    /// Restores a backup.
    ///
    /// - Parameters:
    ///   - file: The backup.
    ///   - acceptsLoss: Whether entries may be missing that are known to have been there.
    ///   - now: The time, for the history.
    ///   - onProgress: Told how far reading is.
    /// - Returns: What was done.
    /// - Throws: `.damaged` if the backup is, `.wouldLose`, `.alreadyThere` if another ledger is
    ///   there or in use, `.inputOutput`.
    public func restore(
        _ file: FilePath,
        acceptsLoss: Bool,
        now: Timestamp,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> Report {
        try LedgerError.translating(at: path) {
            try Self.requireReadable(file)
            let isNew = try !Directory.holds(path)
            try Directory.make(path)
            let stage = path.appending(".restore-\(UInt64.random(in: 0 ... .max)).new")
            try Directory.make(stage.appending("log"))
            defer {
                LedgerBackup.remove(stage)
                // Only if nothing has been put there.
                if isNew { try? Directory.removeEmpty(path) }
            }
            try DurableFile.copy(file, to: stage.appending("log").appending("data.mdb")) { start in
                // An endless input, or one that would only fill the disk, is not copied.
                guard Environment.isDataFile(beginningWith: start) else {
                    throw Self.unsound(file, "not a file of LMDB, or its first pages are damaged")
                }
            }
            let backup = try process.run(.log(stage), onProgress: onProgress)
            guard backup.outcome.verdict == .sound, let head = backup.head,
                let ledger = backup.ledger
            else { throw Self.unsound(file, backup.outcome, stage) }
            let present = try present(comparedWith: head)
            if let loss = try loss(of: ledger, head, in: stage, present?.scan), !acceptsLoss {
                throw LedgerError(
                    .wouldLose,
                    at: file.string,
                    cause: loss,
                    hint: "Nothing was changed. To go on all the same, add --accept-loss; the log "
                        + "that is there is kept beside the new one"
                )
            }
            var report = Report(path: path, ledger: ledger, head: head)
            if let present {
                try exchange(present, with: stage, &report, now)
            } else {
                try SafekeepingHistory.announce(record(report, now), with: stage.appending("log"))
                try DurableFile.move(
                    stage.appending("log"),
                    to: path.appending("log"),
                    isReplacing: false
                )
            }
            try SafekeepingHistory(of: path).settle()
            if acceptsLoss { try setForeignHeadsAside(&report, now) }
            report.heads = try HeadsBackup.restore(from: file, into: path)
            return report
        }
    }

    /// Reads the log that is there; `nil` if there is none.
    private func present(comparedWith head: LedgerHead) throws -> Present? {
        guard try Directory.holds(path.appending("log")) else { return nil }
        try requireUnused()
        let beginning = try beginning()
        let task = ScanTask.log(path, knownHeads: [head], recordedFrom: head.size)
        return Present(scan: try process.run(task), beginning: beginning)
    }

    private func beginning() throws -> [UInt8] {
        let file = path.appending("log").appending("data.mdb")
        guard try Directory.holds(file) else { return [] }
        var bytes: [UInt8] = []
        let count = try InputStream(atFile: file).read(into: &bytes, from: 0)
        return Array(bytes[..<count])
    }

    /// Finds out what would be lost, and why that is known; `nil` if nothing.
    private func loss(
        of ledger: String,
        _ head: LedgerHead,
        in stage: FilePath,
        _ present: ScanProcess.Result?
    ) throws -> String? {
        if let id = present?.ledger, id != ledger { throw otherLedger(id) }
        var known = try knownHeads + SafekeepingHistory(of: path).knownHeads()
        known += try Self.signedHeads(stage)
        if let stated = present?.statedHead { known.append(stated) }
        let older = known.filter { $0.size <= head.size }
        if !older.isEmpty {
            let check = try process.run(.log(stage, knownHeads: older))
            if check.outcome.findings.contains(where: { $0.subject == .head }) {
                return "the backup is not an older state of this ledger"
            }
        }
        if let present {
            guard let stated = present.statedHead else {
                return "the log that is there cannot be read, so it is not known what it holds "
                    + "beyond the backup's \(head.size) entries"
            }
            if let loss = Self.loss(from: head, to: stated, present) { return loss }
        }
        guard let longest = known.max(by: { $0.size < $1.size }), longest.size > head.size else {
            return nil
        }
        return "the ledger is known to have had \(longest.size) entries, and the backup has "
            + "\(head.size)"
    }

    /// The heads that were signed for the ledger of a backup and are kept outside of it.
    private static func signedHeads(_ stage: FilePath) throws -> [LedgerHead] {
        // Another process has just read every page of it without a crash.
        let backup = try Ledger(at: stage, isReadOnly: true)
        defer { backup.close() }
        return try HeadStore(of: backup).all().map { LedgerHead($0.head.head) }
    }

    private static func loss(
        from head: LedgerHead,
        to stated: LedgerHead,
        _ present: ScanProcess.Result
    ) -> String? {
        guard stated.size > head.size else { return nil }
        if present.outcome.findings.contains(where: { $0.subject == .head }) {
            return "the backup is not an older state of the ledger that is there"
        }
        var sentence = "the entries at the positions \(head.size) to \(stated.size - 1) would be "
        sentence += "missing, \(stated.size - head.size) in all"
        if let recorded = present.recorded {
            sentence += ", recorded from \(RFC3339.text(recorded.lowerBound)) to "
            sentence += RFC3339.text(recorded.upperBound)
        }
        return sentence
    }

    /// Puts the signed heads aside that the restored log does not have: it could never be signed
    /// otherwise.
    private func setForeignHeadsAside(_ report: inout Report, _ now: Timestamp) throws {
        let ledger = try Ledger(at: path, isReadOnly: true)
        defer { ledger.close() }
        report.headsSetAside = try ledger.setForeignHeadsAside(
            in: HeadStore(of: ledger),
            at: now
        )
        guard !report.headsSetAside.isEmpty else { return }
        try SafekeepingHistory(of: path).append(record(report, now))
    }

    private func requireUnused() throws {
        let log = path.appending("log")
        if let user = try FileLock.holder(of: log.appending("lock.mdb")) {
            throw isInUse("process \(user)")
        }
        try requireNoUse(of: log)
    }

    /// Throws if a process uses a log's data file, with any lock file: the process may have another
    /// one open than the one that is there.
    private func requireNoUse(of log: FilePath) throws {
        guard try FileUse.isDeclared(at: log.appending("data.mdb")) else { return }
        throw isInUse("another process")
    }

    private func isInUse(_ user: String) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: path.string,
            cause: "\(user) has this ledger open",
            hint: "Nothing was changed. End that process first"
        )
    }

    private static func requireReadable(_ file: FilePath) throws(LedgerError) {
        do {
            let type = try Stat(file).type
            guard type != .directory else { throw Errno.isDirectory }
            guard type == .regular || type == .fifo else { throw Errno.invalidArgument }
            // A pipe can be opened once only.
            if type == .regular { _ = try InputStream(at: file) }
        } catch {
            throw LedgerError(
                .unreadableInput,
                at: file.string,
                cause: (error as? Errno ?? .ioError).description,
                hint: "Nothing was changed"
            )
        }
    }

    private func otherLedger(_ id: String) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: path.string,
            cause: "another ledger is here, \(id)",
            hint: "Nothing was changed. Name a new directory with --ledger"
        )
    }

    private static func unsound(
        _ file: FilePath,
        _ outcome: VerifyOutcome,
        _ stage: FilePath
    ) -> LedgerError {
        // The copy is gone when this is read, so the error names the file itself.
        let copy = stage.appending("log").appending("data.mdb").string + ": open: "
        let what = outcome.findings.first?.what ?? outcome.doubts.first ?? "it is empty"
        return unsound(file, what.hasPrefix(copy) ? String(what.dropFirst(copy.count)) : what)
    }

    private static func unsound(_ file: FilePath, _ cause: String) -> LedgerError {
        LedgerError(
            .damaged,
            at: file.string,
            cause: "this is no sound backup: \(cause)",
            hint: "Nothing was changed. What can be saved from it, `ledger rescue` saves"
        )
    }

    /// Exchanges the log that is there for the new one.
    ///
    /// The old log and its views move into a directory that is a ledger's, too.
    ///
    /// Once the old log has been read, no process can append to it.
    private func exchange(
        _ present: Present,
        with stage: FilePath,
        _ report: inout Report,
        _ now: Timestamp
    ) throws {
        let aside = path.appending("replaced-\(now.milliseconds)")
        let log = path.appending("log")
        let isDone: Void? = try FileLock.withoutUsers(of: log.appending("lock.mdb")) {
            try requireNoUse(of: log)
            guard try beginning() == present.beginning else {
                throw LedgerError(
                    .alreadyThere,
                    at: path.string,
                    cause: "another program appended to this ledger while the backup was read",
                    hint: "Nothing was changed. Say the same again"
                )
            }
            try DurableFile.move(stage, to: aside, isReplacing: false)
            // The report says that a ledger has gone back from the moment it is so, and not before.
            report.movedAside = aside
            try SafekeepingHistory.announce(record(report, now), with: aside.appending("log"))
            try exchangeLogs(log, aside.appending("log"))
            let views = path.appending("views")
            if try Directory.holds(views) {
                try DurableFile.move(views, to: aside.appending("views"), isReplacing: false)
            }
        }
        guard isDone != nil else { throw isInUse("another process") }
    }

    private func record(_ report: Report, _ now: Timestamp) throws -> SafekeepingRecord {
        var record = SafekeepingRecord(.restored, at: now, head: report.head)
        if let aside = report.movedAside { record.file = try Directory.absolute(aside).string }
        record.headsSetAside = report.headsSetAside.map(\.string)
        return record
    }

    private func exchangeLogs(_ log: FilePath, _ other: FilePath) throws {
        do {
            try Environment.exchange(log, with: other)
        } catch {
            // Not every file system can exchange two directories in one step.
            guard error.code == .system(.invalidArgument) else { throw error }
            let passing = other.appendingSuffix(".passing")
            try DurableFile.move(log, to: passing, isReplacing: false)
            try DurableFile.move(other, to: log, isReplacing: false)
            try DurableFile.move(passing, to: other, isReplacing: false)
        }
    }
}
