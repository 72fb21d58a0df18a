import EventStore
import LMDB
import Platform
import Proofs
import SystemPackage
import TripEvents
import TripTracking

extension Ledger {
    /// Brings the views up to date with the log.
    ///
    /// Views that are missing, damaged, of another version or of another log are made anew beside
    /// the old ones and swapped in.
    ///
    /// - Parameters:
    ///   - isRebuild: Whether to make the views anew in any case.
    ///   - onProgress: Told the position reached now and then.
    /// - Returns: What was done.
    /// - Throws: `.damaged` if the log is, `.inputOutput`.
    public func project(
        isRebuild: Bool = false,
        onProgress: (UInt64) -> Void = { _ in }
    ) throws(LedgerError) -> ProjectionReport {
        try LedgerError.translating(at: path) {
            try updateViews(isRebuild: isRebuild, onProgress)
        }
    }

    /// Brings the views up to date; throws what the system says.
    func updateViews(
        isRebuild: Bool = false,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> ProjectionReport {
        try holdingViews {
            if isRebuild { return try rebuild(because: nil, onProgress) }
            do {
                return try catchUp(onProgress)
            } catch let reason as StaleViews {
                return try rebuild(because: reason.sentence, onProgress)
            }
        }
    }

    /// Compares the stored views, row by row, with views made anew from the same entries.
    ///
    /// - Returns: Every row that differs; none if the views are right.
    /// - Throws: `.notFound` if there are no views yet or none that this version could compare,
    ///   `.damaged` if the log is, or the views as a whole, `.inputOutput`.
    public func checkViews(
        onProgress: (UInt64) -> Void = { _ in }
    ) throws(LedgerError) -> [ViewDifference] {
        try LedgerError.translating(at: path) {
            do {
                return isReadOnly
                    ? try differences(onProgress)
                    : try holdingViews { try differences(onProgress) }
            } catch let reason as StaleViews {
                throw LedgerError(
                    reason.isHarmless ? .notFound : .damaged,
                    at: viewsPath.string,
                    cause: reason.sentence,
                    hint: "Make the views anew with `ledger project`"
                )
            }
        }
    }

    private func differences(_ onProgress: (UInt64) -> Void) throws -> [ViewDifference] {
        let writer = try views.current().forChanging()
        var cursor = try writer.views.cursor(in: log)
        if !cursor.isFinished, !isReadOnly {
            // A run that was cut off left rows that are known to be unfinished.
            var runner = ProjectionRunner(log: log, rules: rules, changing: writer, from: cursor)
            try StaleViews.takingDamage { try runner.run(upTo: cursor.size) }
            cursor = runner.cursor
        }
        var check = ViewCheck(writer.views, at: cursor, log: log, rules: rules)
        return try check.differences(onProgress)
    }

    /// Says that the log is damaged if this process crashes.
    ///
    /// LMDB cannot read a damaged page without such a risk. A program calls this once, before it
    /// opens the ledger; it replaces the process's handlers of SIGBUS, SIGSEGV and SIGABRT.
    ///
    /// - Parameters:
    ///   - path: The directory of the ledger.
    ///   - status: The status to exit with after a crash.
    ///   - readsServer: Whether the server's own data is read, and not the log.
    package static func explainCrashes(
        at path: FilePath,
        exitingWith status: Int32,
        readingServer readsServer: Bool = false
    ) {
        let words = readsServer ? crashOfServer(at: path, status) : crashOfLog(at: path, status)
        CrashCleanup.prepare(
            removing: nil,
            thenSaying: words,
            otherwiseSaying: words,
            unlessDueTo: dataFiles(of: path, exitingWith: status)
        )
    }

    /// Throws the views away if this process crashes, because one of their pages may be damaged:
    /// the next process makes them anew.
    ///
    /// Without views it is the log that is damaged.
    /// A program calls this once the ledger is open, before it reads; it takes the place of
    /// ``explainCrashes(at:exitingWith:)``.
    ///
    /// - Parameters:
    ///   - status: The status to exit with after a crash.
    ///   - logStatus: The status to exit with if the log is damaged.
    package func discardViewsOnCrash(
        exitingWith status: Int32,
        ifLogIsDamaged logStatus: Int32
    ) {
        let removed = CrashWords(
            "\(viewsPath): a damaged page ended this command. The views have been thrown "
                + "away, and the next command makes them anew from the log. Say the same again; if "
                + "it happens again, look at the log with `ledger verify`",
            status: status
        )
        CrashCleanup.prepare(
            removing: viewsPath.appending("data.mdb"),
            thenSaying: removed,
            otherwiseSaying: Self.crashOfLog(at: path, logStatus),
            unlessDueTo: [logPath, viewsPath].map(Self.lockFile)
                + Self.dataFiles(of: path, exitingWith: logStatus)
        )
    }

    private static func lockFile(of directory: FilePath) -> MappedFile {
        let file = directory.appending("lock.mdb")
        return MappedFile(
            file,
            byteCount: Environment.lockFileBytes(maximumReaders: maximumReaders),
            ifShort: "\(file): another program cut this file while it was in use, which ended this "
                + "command. The ledger was not changed by that; what was not acknowledged may not "
                + "be in it. Say the same again when other commands on this ledger have ended"
        )
    }

    /// Returns those files of a ledger whose content is nowhere else, as far as they are there.
    private static func dataFiles(
        of ledger: FilePath,
        exitingWith status: Int32
    ) -> [MappedFile] {
        let (log, server) = (crashOfLog(at: ledger, status), crashOfServer(at: ledger, status))
        return [(logName, log), (serverName, server)]
            .compactMap { dataFile(of: ledger.appending($0), ifDamaged: $1) }
    }

    /// Returns a file whose content is nowhere else, or `nil` if there is none.
    ///
    /// It only grows while it is open, so that it is never shorter than now.
    private static func dataFile(
        of directory: FilePath,
        ifDamaged words: CrashWords
    ) -> MappedFile? {
        let file = directory.appending("data.mdb")
        guard let byteCount = try? Stat(file).size else { return nil }
        return MappedFile(
            file,
            byteCount: Int(byteCount),
            ifShort: "\(file): another program cut this file while it was in use, which ended this "
                + "command. It was left as it is. See what it still holds with `ledger verify`, "
                + "and bring a backup back with `ledger restore-backup`",
            ifDamaged: words
        )
    }

    private static func crashOfLog(at path: FilePath, _ status: Int32) -> CrashWords {
        CrashWords(
            "\(path.appending(logName)): a damaged page ended this command. What was not "
                + "acknowledged may not be in the ledger. See what is damaged with "
                + "`ledger verify`; put a backup in its place with `ledger restore-backup`, or "
                + "save what can be proven with `ledger rescue`",
            status: status
        )
    }

    private static func crashOfServer(at path: FilePath, _ status: Int32) -> CrashWords {
        CrashWords(
            "\(path.appending(serverName)): a damaged page ended this command. It holds tokens and "
                + "what was set aside; the log and the trips are not concerned. Put a backup of "
                + "this directory in its place; or move it away, and make new tokens with "
                + "`ledger token new`",
            status: status
        )
    }

    /// The directories of the log, and of what the server keeps, in that of a ledger.
    private static let (logName, serverName) = ("log", "server")

    /// How many readers, of all processes, the log or the views can have at a time.
    private static let maximumReaders = 126

    /// The file whose lock a process holds while it changes or compares views: the log's own file,
    /// because it cannot be deleted without the ledger, which others could project meanwhile.
    var lockPath: FilePath { logPath.appending("data.mdb") }

    /// Runs `body` while no other process changes the views.
    ///
    /// - Throws: `LMDBError.displaced` if the open log is not the one at its path, because the
    ///   views there belong to that one; and what `body` throws.
    func holdingViews<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        try eventLog.requireAtPath()
        return try FileLock.holding(lockPath, isMade: false, notice, body)
    }

    private func catchUp(_ onProgress: (UInt64) -> Void) throws -> ProjectionReport {
        try catchUp(try views.current(), in: log, upTo: log.head().size, onProgress)
    }

    /// Brings views up to date with the log's first entries.
    ///
    /// The caller holds the lock of the views.
    ///
    /// - Parameters:
    ///   - store: The views.
    ///   - log: The log.
    ///   - end: How many of its entries to read.
    ///   - instant: The instant to which time passes; `nil` for the one that the views have
    ///     reached.
    ///   - onProgress: Told the position reached now and then.
    /// - Returns: What was done.
    /// - Throws: `StaleViews` if they have to be rebuilt.
    func catchUp(
        _ store: ViewStore,
        in log: ReadableLog,
        upTo end: UInt64,
        asOf instant: Timestamp? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> ProjectionReport {
        let writer = store.forChanging()
        let cursor = try writer.views.cursor(in: log)
        var runner = ProjectionRunner(log: log, rules: rules, changing: writer, from: cursor)
        runner.adoptionsFrom = adoptionsFrom
        do {
            try StaleViews.takingDamage { try runner.run(upTo: end, asOf: instant, onProgress) }
        } catch let error as LMDBError {
            views.reopen()
            throw error
        }
        return runner.report
    }

    /// Makes the views anew beside the old ones, and swaps them in.
    ///
    /// The caller holds the lock of the views.
    func rebuild(
        because reason: String?,
        asOf instant: Timestamp? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> ProjectionReport {
        let fresh = path.appending("views.new")
        let old = path.appending("views.old")
        try removeLeftovers()
        let store = try ViewStore.create(at: fresh)
        let writer = store.forFilling()
        let end = try log.head().size
        var runner = ProjectionRunner(
            log: log,
            rules: rules,
            changing: writer,
            from: ViewCursor(versions: ViewSet.versions)
        )
        runner.adoptionsFrom = adoptionsFrom
        do {
            defer { store.close() }
            try runner.run(upTo: end, asOf: instant ?? instantOfFeed(), onProgress)
            try takeFeedOver(into: writer, atSize: end)
            try store.synchronize()
        }
        if try Directory.holds(viewsPath) {
            try DurableFile.move(viewsPath, to: old, isReplacing: true)
        }
        try DurableFile.move(fresh, to: viewsPath, isReplacing: true)
        try removeLeftovers()
        runner.report.isRebuilt = true
        runner.report.rebuiltBecause = reason
        return runner.report
    }

    /// Returns the instant to which time has passed in views with a feed: made anew up to there,
    /// they have the same rows; `nil` if there is no feed to go on with.
    private func instantOfFeed() -> Timestamp? {
        guard let old = try? views.current().snapshot() else { return nil }
        guard (try? FeedHead(in: old.views)) ?? nil != nil else { return nil }
        return try? old.views.cursor(in: log).passedTo
    }

    /// Lets new views go on with the feed of the old ones, if these are of the same log and show
    /// nothing that was erased since: else a server begins another one.
    private func takeFeedOver(into new: ViewWriter, atSize size: UInt64) throws {
        guard let old = try? views.current().snapshot() else { return }
        guard (try? old.views.cursor(in: log)) != nil else { return }
        do {
            try StaleViews.takingDamage {
                try FeedProjection.takeOver(from: old.views, into: new, atSize: size)
            }
        } catch is StaleViews {
            // A feed that cannot be read is not continued.
        }
    }

    /// The files that interrupted runs have left beside the views.
    func viewLeftovers() throws -> [FilePath] {
        try Directory.names(in: path)
            .filter { $0 == "views.new" || $0 == "views.old" || $0.hasPrefix(".views.new.") }
            .map { path.appending($0) }
    }

    /// Whether views, or leftovers beside them, may show erased entries: they were made before the
    /// erasure, or their time is unknown.
    ///
    /// - Throws: The error of the system.
    package func viewsMayHoldErased() throws -> Bool {
        guard try log.lastErasure() != nil else { return false }
        guard try viewLeftovers().isEmpty else { return true }
        guard try Directory.holds(viewsPath) else { return false }
        do {
            _ = try views.current().newest.cursor(in: log)
            return false
        } catch is StaleViews {
            return true
        }
    }

    private func removeLeftovers() throws {
        let leftovers = try viewLeftovers()
        guard !leftovers.isEmpty else { return }
        for leftover in leftovers { try Directory.remove(leftover) }
        // Erased entries may stand in them: they MUST NOT come back when the power fails.
        try DurableFile.synchronizeDirectory(of: viewsPath)
    }
}

/// The result of bringing the views up to date.
public struct ProjectionReport: Hashable, Sendable {
    /// Entries read.
    public var read: UInt64 = 0

    /// Events of kinds that this program does not know: kept, counted, passed over.
    public var unknown: UInt64 = 0

    /// Sources that were folded again because of late events.
    public var refoldedSources = 0

    /// Whether the views were made anew.
    public var isRebuilt = false

    /// Why they were, if the caller did not ask for it.
    public var rebuiltBecause: String?

    /// The log's size that the views know now.
    public var size: UInt64 = 0

    /// Creates a report of nothing done.
    public init() {}
}
