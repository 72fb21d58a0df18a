package import EventStore
import LMDB
public import SystemPackage
public import TripEvents
import TripTracking

/// A driver's book of events in a directory: the log, and the views derived from it.
///
/// Everything is synchronous: what a method appended is durable when the method returns. One thread
/// at a time may ask for trips, for each opens the views, and a process can open them once.
public struct Ledger: Sendable {
    /// The directory.
    public let path: FilePath

    /// The event that began the log.
    public let founding: LedgerCreated

    /// The events as they are stored.
    package let log: EventLog

    /// Whether nothing can be written: asked for, or because the medium or its rights say so.
    public let isReadOnly: Bool

    /// The rules that the founding event names.
    let rules: TrackingRules

    /// Told when this process waits for another one.
    let notice: WaitNotice?

    var logPath: FilePath { path.appending("log") }
    var viewsPath: FilePath { path.appending("views") }

    /// Opens the ledger in a directory; one that cannot be written is opened for reading.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - isReadOnly: Whether nothing will be written.
    ///   - notice: Told when this process waits for another one that writes or projects.
    /// - Throws: `.missingLedger`, `.damaged`, `.newer` or `.inputOutput`.
    public init(
        at path: FilePath,
        isReadOnly: Bool = false,
        notice: WaitNotice? = nil
    ) throws(LedgerError) {
        self.path = path
        self.notice = notice
        try Self.requireLog(at: path)
        let log: EventLog
        (log, self.isReadOnly) = try LedgerError.translating(at: path) {
            try Self.openLog(at: path.appending("log"), isReadOnly: isReadOnly, notice)
        }
        self.log = log
        let founding = try LedgerError.translating(at: path) { try Self.founding(of: log) }
        guard let founding, case .ledgerCreated(let created) = founding.event.body else {
            throw LedgerError(
                .damaged,
                at: path.string,
                cause: "the log does not begin with ledger_created"
            )
        }
        guard let version = RulesVersion(rawValue: created.rulesVersion) else {
            throw LedgerError(
                .newer,
                at: path.string,
                cause: "the ledger goes by tracking rules \(created.rulesVersion), which this "
                    + "program does not know",
                hint: "Use the version of ledger that made it, or a newer one"
            )
        }
        self.founding = created
        rules = TrackingRules(version)
    }

    /// Creates a ledger in a directory that may exist but must hold no ledger, and opens it.
    ///
    /// - Throws: `.alreadyThere` or `.inputOutput`.
    public static func create(
        at path: FilePath,
        settings: LedgerSettings,
        now: Timestamp
    ) throws(LedgerError) -> Ledger {
        let logPath = path.appending("log")
        if (try? Stat(logPath, followTargetSymlink: false)) != nil {
            throw LedgerError(
                .alreadyThere,
                at: path.string,
                cause: "there is a ledger here already",
                hint: "It was left as it is; append to it with `ledger append`"
            )
        }
        var random = BufferedRandom()
        let created = LedgerCreated(
            ledger: TripID(high: random.next(), low: random.next()).description,
            timeZone: settings.timeZone,
            units: settings.units,
            rulesVersion: settings.rules.rawValue
        )
        let founding = TripEvent(source: "", occurredAt: now, body: .ledgerCreated(created))
        try LedgerError.translating(at: path) {
            try Directory.make(path)
            try EventLog.create(
                at: logPath,
                founding: EntryContent(founding.encoded),
                recordedAt: now.milliseconds,
                randomness: random
            )
            .close()
        }
        return try Ledger(at: path)
    }

    /// Closes the ledger; it MUST NOT be used after that.
    public func close() {
        log.close()
    }

    /// The size and root of the log now.
    public func head() throws(LedgerError) -> LedgerHead {
        try LedgerError.translating(at: path) { LedgerHead(try log.head()) }
    }

    /// Returns whether the directory at `path` holds a ledger.
    package static func isOne(at path: FilePath) -> Bool {
        (try? Directory.holds(path.appending("log"))) == true
    }

    /// Throws unless there is a log in the directory at `path`.
    static func requireLog(at path: FilePath) throws(LedgerError) {
        let isThere = try LedgerError.translating(at: path) {
            try Directory.holds(path.appending("log"))
        }
        guard isThere else {
            throw LedgerError(
                .missingLedger,
                at: path.string,
                cause: "there is no ledger here",
                hint: "Make one with `ledger --ledger \(path.string) init`, or name another "
                    + "directory with --ledger or LEDGER_DIR"
            )
        }
    }

    private static func openLog(
        at path: FilePath,
        isReadOnly: Bool,
        _ notice: WaitNotice?
    ) throws -> (log: EventLog, isReadOnly: Bool) {
        guard !isReadOnly else { return (try EventLog(at: path, isReadOnly: true), true) }
        do {
            return (try EventLog(at: path, waitReport: notice?.waitReport), false)
        } catch let error as LMDBError where error.code.isLackOfRights {
            return (try EventLog(at: path, isReadOnly: true), true)
        }
    }

    private static func founding(of log: EventLog) throws -> StoredEvent? {
        try log.withEntry(at: 0) { entry in
            try StoredEvent(entry, at: 0, sourceName: "")
        }
    }
}
