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
    /// - Throws: `.notFound` if there are no views yet, `.damaged` if the log is, `.inputOutput`.
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
                    .notFound,
                    at: viewsPath.string,
                    cause: reason.sentence,
                    hint: "Make the views anew with `ledger project`"
                )
            }
        }
    }

    private func differences(_ onProgress: (UInt64) -> Void) throws -> [ViewDifference] {
        let store = try views.current().forChanging()
        var cursor = try store.cursor(in: log)
        if !cursor.isFinished, !isReadOnly {
            // A run that was cut off left rows that are known to be unfinished.
            var runner = ProjectionRunner(log: log, rules: rules, over: store, from: cursor)
            try StaleViews.takingDamage { try runner.run(upTo: cursor.size) }
            cursor = runner.cursor
        }
        var check = ViewCheck(store, at: cursor, log: log, rules: rules)
        return try check.differences(onProgress)
    }

    /// Throws the views away if this process crashes, for one of their pages may be damaged: the
    /// next process makes them anew.
    ///
    /// LMDB cannot read a damaged page without such a risk. A program calls this once, before it
    /// reads; it replaces the process's handlers of SIGBUS, SIGSEGV and SIGABRT.
    ///
    /// - Parameter status: The status to exit with after a crash.
    package func discardViewsOnCrash(exitingWith status: Int32) {
        CrashCleanup.remove(
            viewsPath.appending("data.mdb"),
            saying: "\(viewsPath): a damaged page ended this command. The views have been thrown "
                + "away, and the next command makes them anew from the log. Say the same again; if "
                + "it happens again, look at the log with `ledger verify`",
            status: status,
            unlessShort: [logPath, viewsPath]
                .map { directory in
                    let file = directory.appending("lock.mdb")
                    return ShortFile(
                        file,
                        byteCount: Environment.lockFileBytes(maximumReaders: Self.maximumReaders),
                        message: "\(file): another program cut this file while it was in use, "
                            + "which ended this command. The ledger was not changed by that; what "
                            + "was not acknowledged may not be in it. Say the same again when "
                            + "other commands on this ledger have ended"
                    )
                }
        )
    }

    /// How many readers, of all processes, the log or the views can have at a time.
    private static let maximumReaders = 126

    /// The file whose lock a process holds while it changes or compares views: that which they are
    /// made of, so that it cannot be deleted and leave a ledger that others project meanwhile.
    var lockPath: FilePath { logPath.appending("data.mdb") }

    /// Runs `body` while no other process changes the views.
    ///
    /// - Throws: `LMDBError.displaced` if the log that is open is not the one at its path, whose
    ///   views those that stand there are; and what `body` throws.
    func holdingViews<Result>(_ body: () throws -> Result) throws -> Result {
        try log.requireAtPath()
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
    ///   - instant: The instant to which time passes; `nil` for that to which it has.
    ///   - onProgress: Told the position reached now and then.
    /// - Returns: What was done.
    /// - Throws: `StaleViews` if they have to be rebuilt.
    func catchUp(
        _ store: ViewStore,
        in log: EventLog,
        upTo end: UInt64,
        asOf instant: Timestamp? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws -> ProjectionReport {
        let store = store.forChanging()
        let cursor = try store.cursor(in: log)
        var runner = ProjectionRunner(log: log, rules: rules, over: store, from: cursor)
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
        let end = try log.head().size
        var runner = ProjectionRunner(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions)
        )
        do {
            defer { store.close() }
            try runner.run(upTo: end, asOf: instant ?? instantOfFeed(), onProgress)
            try takeFeedOver(into: store, atSize: end)
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
        guard let old = try? views.current().beginSnapshot() else { return nil }
        defer { old.endSnapshot() }
        guard (try? FeedHead(in: old)) ?? nil != nil else { return nil }
        return try? old.cursor(in: log).passedTo
    }

    /// Lets new views go on with the feed of the old ones, if these are of the same log and show
    /// nothing that was erased since: else a server begins another one.
    private func takeFeedOver(into new: ViewStore, atSize size: UInt64) throws {
        guard let old = try? views.current().beginSnapshot() else { return }
        defer { old.endSnapshot() }
        guard (try? old.cursor(in: log)) != nil else { return }
        do {
            try StaleViews.takingDamage {
                try FeedProjection.takeOver(from: old, into: new, atSize: size)
            }
        } catch is StaleViews {
            // What cannot be read is not gone on with.
        }
    }

    /// What runs that were cut off have left beside the views.
    func viewLeftovers() throws -> [FilePath] {
        try Directory.names(in: path)
            .filter { $0 == "views.new" || $0 == "views.old" || $0.hasPrefix(".views.new.") }
            .map { path.appending($0) }
    }

    /// Whether views, or what is left beside them, may show what was erased: they were not made
    /// since, or their time is unknown.
    ///
    /// - Throws: What the system says.
    package func viewsMayHoldErased() throws -> Bool {
        guard try log.lastErasure() != nil else { return false }
        guard try viewLeftovers().isEmpty else { return true }
        guard try Directory.holds(viewsPath) else { return false }
        do {
            _ = try views.current().cursor(in: log)
            return false
        } catch is StaleViews {
            return true
        }
    }

    private func removeLeftovers() throws {
        let leftovers = try viewLeftovers()
        guard !leftovers.isEmpty else { return }
        for leftover in leftovers { try Directory.remove(leftover) }
        // What was erased may stand in them: they MUST NOT come back when the power fails.
        try DurableFile.synchronizeDirectory(of: viewsPath)
    }
}

/// What bringing the views up to date meant.
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
