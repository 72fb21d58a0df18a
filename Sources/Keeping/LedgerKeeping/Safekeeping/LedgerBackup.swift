import EventStore
import Platform
import Proofs
import ServerStore
public import SystemPackage
public import TripEvents
public import TripLedger

/// Copies a ledger's log, while it is in use, into one file that is read back before it gets its
/// name.
public struct LedgerBackup {
    /// The backup that was made.
    public struct Report: Hashable, Sendable {
        /// The file.
        public var file: FilePath

        /// Its length in bytes.
        public var fileBytes: Int64

        /// Its SHA-256 in hexadecimal.
        public var fileDigest: String

        /// The ledger's id.
        public var ledger: String

        /// The head of the log in it.
        public var head: LedgerHead

        /// Whether erased content may remain in unused places of it.
        public var isUnswept: Bool

        /// The file with the tokens, if there are any and they are sound.
        public var tokensFile: FilePath?

        /// The reason why there is no such file although there are tokens.
        public var tokensProblem: String?

        /// The signed heads and stamps that were copied.
        package var heads: HeadsBackup?

        /// What is missing in the backup although the ledger has it, and what to do; `nil` if
        /// nothing is.
        package var gap: LedgerError? {
            var parts: [String] = []
            if let tokensProblem {
                parts.append(
                    "the tokens are not in the backup, for they cannot be read: \(tokensProblem)"
                )
            }
            if let left = heads?.left, let first = left.first {
                let others = left.count == 1 ? "" : ", the first of \(left.count) such files,"
                parts.append(
                    "\(first)\(others) is not in the backup, for it cannot be read or the log does "
                        + "not have that head"
                )
            }
            guard !parts.isEmpty else { return nil }
            return LedgerError(
                .damaged,
                at: file.string,
                cause: parts.joined(separator: "; "),
                hint: "All entries are in it. No older backup was removed: one may have what is "
                    + "missing. `ledger doctor` and `ledger verify` say more"
            )
        }

        /// Files of backups under this name, or in this directory, that were interrupted or are
        /// still at work.
        public var leftovers: [FilePath]
    }

    private let ledger: Ledger
    private let process: ScanProcess

    /// Prepares a backup; `process` reads it back.
    public init(of ledger: Ledger, process: ScanProcess) {
        self.ledger = ledger
        self.process = process
    }

    /// Makes the backup.
    ///
    /// - Parameters:
    ///   - destination: The file, or an existing directory, in which it gets a name of its own.
    ///   - isReplacing: Whether an existing file may be replaced.
    ///   - now: The time, for the name and the history.
    ///   - onProgress: Told how far reading back is.
    /// - Returns: What was made.
    /// - Throws: `.alreadyThere`, `.damaged` if the ledger is, `.inputOutput`.
    public func make(
        to destination: FilePath,
        isReplacing: Bool,
        now: Timestamp,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> Report {
        try LedgerError.translating(at: destination) {
            let file = try self.file(at: destination, now: now)
            let folder = file.removingLastComponent()
            let above = folder.removingLastComponent()
            // A missing directory above it may be the mount point of a disk, so it is not created.
            if try !folder.isEmpty && (above.isEmpty || Directory.holds(above)) {
                try Directory.make(folder)
            }
            if !isReplacing, try Directory.holds(file) { throw Self.isThere(file) }
            let leftovers = try leftovers(beside: file, isNamed: file == destination)
                .filter { !Self.removeIfAbandoned($0) }
            let stage = file.besideUntilComplete
            try Directory.make(stage.appending("log"))
            defer { Self.remove(stage) }
            let lock = stage.appending(Self.lockName)
            var report = try FileLock.holding(lock, isMade: true, nil) {
                try make(file, in: stage, isReplacing: isReplacing, now: now, onProgress)
            }
            report.leftovers = leftovers
            return report
        }
    }

    /// Makes the backup in a directory of its own, and moves it to its place.
    private func make(
        _ file: FilePath,
        in stage: FilePath,
        isReplacing: Bool,
        now: Timestamp,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws -> Report {
        let copy = stage.appending("log").appending("data.mdb")
        do {
            let descriptor = try DurableFile.create(copy)
            defer { try? descriptor.close() }
            try ledger.eventLog.copy(to: descriptor)
            try DurableFile.settle(descriptor)
        }
        let result = try process.run(.log(stage), onProgress: onProgress)
        guard result.outcome.verdict == .sound, let head = result.head else {
            throw unsound(result.outcome)
        }
        let digest = try Self.digest(of: copy)
        let fileBytes = try Stat(copy).size
        let server = try ServerBackup(process: process)
            .make(of: ledger.path, beside: file, in: stage, isReplacing: isReplacing)
        let heads = try heads(beside: file, in: stage, isReplacing: isReplacing)
        do {
            try DurableFile.move(copy, to: file, isReplacing: isReplacing)
        } catch Errno.fileExists {
            throw Self.isThere(file)
        }
        var record = SafekeepingRecord(.backup, at: now, head: head)
        record.file = try Directory.absolute(file).string
        record.fileDigest = digest
        if !ledger.isReadOnly { try SafekeepingHistory(of: ledger.path).append(record) }
        var report = Report(
            file: file,
            fileBytes: Int64(fileBytes),
            fileDigest: digest,
            ledger: ledger.founding.ledger,
            head: head,
            // A log that this process has open is not swept.
            isUnswept: try ledger.eventLog.needsSweep(),
            leftovers: []
        )
        report.note(server)
        report.heads = heads
        return report
    }

    private func heads(
        beside file: FilePath,
        in stage: FilePath,
        isReplacing: Bool
    ) throws -> HeadsBackup {
        do {
            return try HeadsBackup.make(
                of: ledger.path,
                beside: file,
                in: stage,
                isReplacing: isReplacing
            )
        } catch Errno.fileExists {
            throw Self.isThere(HeadsBackup.path(of: file))
        }
    }

    private func file(at destination: FilePath, now: Timestamp) throws -> FilePath {
        guard try Directory.holds(destination), try Stat(destination).type == .directory else {
            return destination
        }
        let time = RFC3339.text(now).prefix(19).filter { $0 != "-" && $0 != ":" }
        let name = "\(Self.ownName(ledger.founding.ledger))\(time)Z.backup"
        return destination.appending(name)
    }

    /// Returns the directories beside a backup in which others were begun: under its name, or under
    /// names that this ledger gives.
    private func leftovers(beside file: FilePath, isNamed: Bool) throws -> [FilePath] {
        let start =
            isNamed
            ? (file.lastComponent?.string ?? "") + "." : Self.ownName(ledger.founding.ledger)
        return try Self.leftovers(in: file.removingLastComponent(), beginningWith: [start])
    }

    /// The beginning of the names that backups of a ledger get in a directory.
    static func ownName(_ ledger: String) -> String { "ledger-\(ledger.prefix(8))-" }

    /// Returns the directories of begun or tried backups whose names have one of some prefixes.
    ///
    /// - Throws: `Errno`.
    static func leftovers(
        in parent: FilePath,
        beginningWith starts: [String]
    ) throws -> [FilePath] {
        try Directory.names(in: parent.isEmpty ? "." : parent).sorted()
            .filter { name in
                name.hasSuffix(".new") && starts.contains { name.hasPrefix($0) }
            }
            .filter { name in
                let place = parent.appending(name)
                return isDirectory(place.appending("log"))
                    || Unfinished.lastName(of: name) != nil && isDirectory(place)
            }
            .map { parent.appending($0) }
    }

    private static func isDirectory(_ place: FilePath) -> Bool {
        (try? Stat(place, followTargetSymlink: false).type == .directory) == true
    }

    private func unsound(_ outcome: VerifyOutcome) -> LedgerError {
        guard let first = outcome.findings.first else {
            return LedgerError(
                .inputOutput,
                at: ledger.path.string,
                cause: "the copy could not be read back: \(outcome.doubts.first ?? "it is empty")",
                hint: "No backup was made. See that there is room for it and some more"
            )
        }
        return LedgerError(
            .damaged,
            at: ledger.path.string,
            cause: "the copy could not be verified: \(first.what)",
            hint: "No backup was made. See what is wrong with `ledger verify`"
        )
    }

    private static func isThere(_ file: FilePath) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: file.string,
            cause: "there is a file of this name already",
            hint: "It was left as it is; name another one, or replace it with --replace"
        )
    }

    /// Returns the SHA-256 of a file.
    static func digest(of file: FilePath) throws -> String {
        var stream = SHA256Stream()
        try DurableFile.forEachChunk(of: file) { stream.update($0.span) }
        return stream.finish().description
    }

    /// The file in the directory of an unfinished backup that the process at work there keeps
    /// locked.
    private static let lockName = "backup.lock"

    /// The ending of the name from which the directory of a rehearsal gets its unfinished name.
    static let rehearsalSuffix = ".rehearsal"

    /// Removes the directory of an unfinished backup or rehearsal if the process that made it has
    /// ended.
    ///
    /// - Returns: Whether it is gone.
    private static func removeIfAbandoned(_ stage: FilePath) -> Bool {
        let name = stage.lastComponent?.string ?? ""
        if Unfinished.lastName(of: name)?.hasSuffix(rehearsalSuffix) == true {
            try? Unfinished.removeIfAbandoned(stage)
            return (try? Directory.holds(stage)) == false
        }
        let lock = stage.appending(lockName)
        // One that was only just made has no lock yet.
        guard (try? Directory.holds(lock)) == true else { return false }
        // Files that cannot be removed are named.
        _ = try? FileLock.reading(lock, within: .zero) { remove(stage) }
        return (try? Directory.holds(stage)) == false
    }

    /// Removes a directory in which a log stood for a while, as well as it can.
    static func remove(_ stage: FilePath) {
        // A leftover does no harm, and its name says that it is one.
        try? Directory.remove(stage.appending("log"))
        try? Directory.removeTree(ServerState.path(of: stage))
        HeadsBackup.remove(in: stage)
        try? Directory.remove(stage)
    }
}

extension LedgerBackup.Report {
    /// Notes the outcome for the tokens.
    fileprivate mutating func note(_ outcome: ServerBackup.Outcome) {
        switch outcome {
        case .none: break
        case .copied(let file): tokensFile = file
        case .unsound(let why): tokensProblem = why
        }
    }
}
