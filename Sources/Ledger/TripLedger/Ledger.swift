package import EventStore
import LMDB
public import Platform
package import Proofs
public import SystemPackage
public import TripEvents
public import TripTracking

/// A driver's book of events in a directory: the log, and the views derived from it.
///
/// Everything is synchronous: what a method appended is durable when the method returns. Any thread
/// may call any method at any time. Any number of snapshots are read at once; the ledger sees to it
/// that one thread at a time writes, and no reader waits for a writer.
///
/// A process can open a ledger once at a time; close it before you open it again.
public final class Ledger: Sendable {
    /// The directory.
    public let path: FilePath

    /// The event that began the log.
    public let founding: LedgerCreated

    /// The events as they are stored, and what stores them.
    package let eventLog: EventLog

    /// The events as they are at each call.
    package var log: ReadableLog { eventLog.newest }

    /// Whether nothing can be written: on request, or because of the medium or its rights.
    public let isReadOnly: Bool

    /// The views that are derived from the log.
    let views: OpenViews

    /// The rules that the founding event names.
    let rules: TrackingRules

    /// Reads ``settings()``.
    let settingsReader = SettingsReader()

    /// Makes ``clock``.
    let ownClock: LedgerClock

    /// The position in the log before which adoptions of rules are ignored.
    let adoptionsFrom: UInt64

    /// Told when this process waits for another one.
    package let notice: WaitNotice?

    /// Told why views are made anew to answer a question, or cannot be stored.
    let viewNotice: (@Sendable (String) -> Void)?

    var logPath: FilePath { path.appending("log") }
    var viewsPath: FilePath { views.path }

    /// Opens the ledger in a directory; one that cannot be written is opened for reading.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - isReadOnly: Whether nothing will be written.
    ///   - notice: Told when this process waits for another one that writes or projects.
    ///   - viewNotice: Told, in a sentence without a full stop, when damaged views are made anew to
    ///     answer a question, or when there is no room to store them.
    /// - Throws: `.missingLedger`, `.damaged`, `.newer` or `.inputOutput`.
    public convenience init(
        at path: FilePath,
        isReadOnly: Bool = false,
        notice: WaitNotice? = nil,
        viewNotice: (@Sendable (String) -> Void)? = nil
    ) throws(LedgerError) {
        try self.init(
            at: path,
            zones: [:],
            isReadOnly: isReadOnly,
            notice: notice,
            viewNotice: viewNotice
        )
    }

    /// Opens a ledger that has no views yet and keeps none that others read: without the rules that
    /// were adopted before a position, or with other rules of time zones than this machine's.
    package init(
        at path: FilePath,
        adoptionsFrom: UInt64 = 0,
        zones: [String: TimeZoneRules],
        isReadOnly: Bool = false,
        notice: WaitNotice? = nil,
        viewNotice: (@Sendable (String) -> Void)? = nil
    ) throws(LedgerError) {
        self.path = path
        self.adoptionsFrom = adoptionsFrom
        ownClock = LedgerClock(by: zones)
        self.notice = notice
        self.viewNotice = viewNotice
        try Self.requireLog(at: path)
        let eventLog: EventLog
        (eventLog, self.isReadOnly) = try LedgerError.translating(at: path) {
            try Self.openLog(at: path.appending("log"), isReadOnly: isReadOnly, notice)
        }
        self.eventLog = eventLog
        views = OpenViews(at: path.appending("views"), isReadOnly: self.isReadOnly)
        let founding = try LedgerError.translating(at: path) {
            try Self.founding(of: eventLog.newest)
        }
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

    /// Closes the ledger when all snapshots that are being read are over; it MUST NOT be used after
    /// that, and not inside of ``read(asOf:_:)``.
    public func close() {
        views.close()
        eventLog.close()
    }

    /// Opens the ledger anew, when its log's file was replaced by one with the same entries.
    ///
    /// This one MUST NOT be used after that.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func reopened() throws(LedgerError) -> Ledger {
        views.close()
        return try Ledger(at: path, notice: notice, viewNotice: viewNotice)
    }

    /// The size and root of the log now.
    public func head() throws(LedgerError) -> LedgerHead {
        try LedgerError.translating(at: path) {
            try eventLog.requireAtPath()
            return LedgerHead(try log.head())
        }
    }

    /// Returns the head that the log had at a size; `nil` if it never had so many entries.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func head(atSize size: UInt64) throws(LedgerError) -> LedgerHead? {
        let now = try head()
        guard size < now.size else { return size == now.size ? now : nil }
        return try LedgerError.translating(at: path) {
            LedgerHead(size: size, root: try LogTree(log).root(atSize: size).description)
        }
    }

    /// Returns whether the directory at `path` holds a ledger.
    package static func isOne(at path: FilePath) -> Bool {
        (try? Directory.holds(path.appending("log"))) == true
    }

    /// Throws unless there is a log in the directory at `path`.
    package static func requireLog(at path: FilePath) throws(LedgerError) {
        let isThere = try LedgerError.translating(at: path) {
            try Directory.holds(path.appending("log"))
        }
        guard isThere else {
            throw LedgerError(
                .missingLedger,
                at: path.string,
                cause: "there is no ledger here",
                hint: "Make one with `ledger \(ShellWord.option("--ledger", path.string)) init`, "
                    + "or name another directory with --ledger or LEDGER_DIR"
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
            return (try EventLog(at: path, waitNotice: notice), false)
        } catch let error as LMDBError where error.code.isLackOfRights {
            return (try EventLog(at: path, isReadOnly: true), true)
        }
    }

    private static func founding(of log: ReadableLog) throws -> StoredEvent? {
        try log.withEntry(at: 0) { entry in
            try StoredEvent(entry, at: 0, source: .ledger)
        }
    }
}

/// The settings with which a ledger is created; they stand in its first event, and can be changed
/// later (``LedgerDecision/changeSettings(_:)``).
public struct LedgerSettings: Hashable, Sendable {
    /// The time zone of its reports, as an IANA name such as `Europe/Amsterdam`.
    public var timeZone: String

    /// The unit of its reports.
    public var units: DistanceUnit

    /// The tracking rules in force from the start.
    public var rules: RulesVersion

    /// Creates settings.
    public init(
        timeZone: String = "UTC",
        units: DistanceUnit = .kilometers,
        rules: RulesVersion = .v1
    ) {
        self.timeZone = timeZone
        self.units = units
        self.rules = rules
    }
}

/// How many entries the log holds, and the hash that commits to all of them.
public struct LedgerHead: Hashable, Sendable {
    /// The number of entries.
    public var size: UInt64

    /// The root of the RFC 6962 tree over the entries: 64 hexadecimal digits.
    public var root: String

    /// Creates a head.
    public init(size: UInt64, root: String) {
        self.size = size
        self.root = root
    }

    /// Takes over a head of the tree.
    package init(_ head: TreeHead) {
        self.init(size: head.size, root: head.root.description)
    }
}

extension TreeHead {
    /// Takes over a head, or returns `nil` if its root is invalid.
    package init?(_ head: LedgerHead) {
        guard let root = Digest(hexadecimal: head.root) else { return nil }
        self.init(size: head.size, root: root)
    }
}
