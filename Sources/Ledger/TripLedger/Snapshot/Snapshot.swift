package import EventStore
import LMDB
public import Projections
import Proofs
public import SystemPackage
public import TripEvents
import TripTracking

/// A ledger at one moment: everything it is asked is answered from the same entries, those that its
/// ``head`` commits to.
///
/// ``Ledger/read(asOf:_:)`` gives it to its body. It cannot be kept or handed to another thread:
/// the compiler sees to that.
///
/// ```swift
/// try ledger.read { snapshot in
///     let status = try snapshot.status(asOf: now)
///     print("\(status.sources.count) sources at \(snapshot.head.root)")
/// }
/// ```
public struct Snapshot: ~Copyable {
    /// The condition of a snapshot while it is read.
    private final class Condition {
        /// Why the views cannot be trusted, as a query has found out.
        var damage: StaleViews?

        /// Whether rows were handed over that the caller may have printed.
        var hasHandedOver = false
    }

    /// Keeps the transactions until the last of the snapshots ends that read from them.
    private final class HeldTransactions {
        private let transactions: SnapshotTransactions

        init(_ transactions: consuming SnapshotTransactions) {
            self.transactions = transactions
        }
    }

    /// The size and root of the log.
    public let head: LedgerHead

    /// The event that began the log.
    public let founding: LedgerCreated

    /// The settings of the whole ledger.
    public let settings: SettingsBook

    /// The directory of the ledger.
    public let path: FilePath

    /// How many entries the views had not read before they were brought up to date for this; `nil`
    /// if there were no usable views.
    public let lag: UInt64?

    /// The rules that the founding event names.
    let rules: TrackingRules

    /// Makes ``clock``.
    let ownClock: LedgerClock

    /// The log as it was when the snapshot began.
    package let log: ReadableLog

    /// The views of all entries of that log, as the asker sees them.
    let store: ReadableViews

    /// The log as it is now, for what outlives the snapshot.
    let currentLog: ReadableLog

    /// The instant to which time has passed in the views.
    let passedTo: Timestamp

    /// The instant that was asked about, at which the views show the same trips; else that to which
    /// time has passed.
    package let instant: Timestamp

    /// What is read from, until the snapshot's end.
    private let transactions: HeldTransactions

    private let condition: Condition

    init(
        _ transactions: consuming SnapshotTransactions,
        of ledger: Ledger,
        seenBy sight: Sight = .everything
    ) {
        head = LedgerHead(transactions.head)
        founding = ledger.founding
        settings = ledger.ownClock.settings(ledger.founding, transactions.settings)
        ledger.settingsReader.note(transactions.settings, upTo: transactions.cursor.size)
        path = ledger.path
        rules = ledger.rules
        ownClock = ledger.ownClock
        log = transactions.log.log
        store = transactions.store.seen(by: sight)
        // Not `self.passedTo`: what `??` captures would be destroyed with it.
        let passedTo = transactions.cursor.passedTo
        self.passedTo = passedTo
        instant = transactions.askedInstant ?? passedTo
        currentLog = ledger.log
        lag = transactions.earlierLag
        condition = Condition()
        self.transactions = HeldTransactions(transactions)
    }

    private init(_ whole: borrowing Snapshot, seenBy sight: Sight) {
        head = whole.head
        founding = whole.founding
        settings = whole.settings
        path = whole.path
        lag = whole.lag
        rules = whole.rules
        ownClock = whole.ownClock
        log = whole.log
        store = whole.store.seen(by: sight)
        currentLog = whole.currentLog
        passedTo = whole.passedTo
        instant = whole.instant
        transactions = whole.transactions
        condition = whole.condition
    }

    /// Returns the same moment of the ledger with one group of sources, or the owner's, alone.
    ///
    /// The asker MUST see everything: a selection does not lift a limit of sight.
    package func selecting(_ group: GroupSelection) -> Snapshot {
        precondition(!sight.isWalled, "who may not see everything selects nothing")
        return Snapshot(self, seenBy: .of(group))
    }

    /// The part of the ledger that the asker sees: other trips and sources are not there.
    package var sight: Sight { store.sight }

    /// Why everything is to be read again from new views; `nil` if it is not.
    var reasonToRepeat: StaleViews? { condition.hasHandedOver ? nil : condition.damage }

    /// Notes that rows are about to be handed over: what follows cannot be repeated.
    func noteHandingOver() {
        condition.hasHandedOver = true
    }

    /// Runs a query, and adds to the errors that it throws where they happened and what to do.
    package func asking<Result>(_ query: () throws -> Result) throws(LedgerError) -> Result {
        try LedgerError.translating(at: path) {
            do {
                return try StaleViews.takingDamage(query)
            } catch let reason as StaleViews {
                condition.damage = reason
                throw reason
            }
        }
    }

    /// Prepares to ask the trackers and the events that they were given: nothing is read before it
    /// is needed.
    func trackers() -> TrackerFolds {
        TrackerFolds(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions, passedTo: passedTo)
        )
    }
}

/// The two transactions that a ``Snapshot`` reads from: one in the log, one in the views.
///
/// While ``lag`` is 0, the views know every entry of the log, and no more.
struct SnapshotTransactions: ~Copyable, Sendable {
    /// The views, as they were when the snapshot began.
    let views: ViewSnapshot

    /// The log, as it was then.
    let log: LogSnapshot

    /// The size and root of the log.
    let head: TreeHead

    /// How far the views have read, and to when time has passed in them.
    let cursor: ViewCursor

    /// The decisions about settings, as far as the views have read.
    let settings: [Decision]

    /// How many entries the views had not read before they were brought up to date; `nil` if there
    /// were no usable views.
    var earlierLag: UInt64?

    /// The instant that was asked about; `nil` if none was.
    var askedInstant: Timestamp?

    /// Begins transactions in the log and then in the views.
    ///
    /// - Throws: `StaleViews` if the views are not of this log; what the system says.
    init(of log: EventLog, _ store: ViewStore) throws {
        try self.init(beside: log.snapshot(), store)
    }

    /// Begins a transaction in the views beside one of the log.
    ///
    /// That order is needed: a thread that waits for other readers to leave the views, to enlarge
    /// their map, may read the log meanwhile.
    init(beside log: consuming LogSnapshot, _ store: ViewStore) throws {
        let views = try store.snapshot()
        let rows = views.views
        let head = try log.log.head()
        let cursor = try rows.cursor(in: log.log)
        let settings = try StaleViews.takingDamage {
            try TripBook(over: rows).decisions(on: .settings)
        }
        (self.head, self.cursor, self.settings) = (head, cursor, settings)
        self.views = views
        self.log = log
    }

    /// The rows of the views.
    var store: ReadableViews { views.views }

    /// How many entries the views have not read; `nil` if they have to be refolded first.
    var lag: UInt64? {
        guard cursor.isFinished, cursor.size <= head.size else { return nil }
        return head.size - cursor.size
    }

    /// Returns whether the views show trips as time has ended them by an instant.
    ///
    /// - Throws: `StaleViews` if what the views know of that is damaged, or `LMDBError`.
    func show(_ instant: Timestamp) throws -> Bool {
        var isShown = true
        try store.scan(.ends, in: cursor.ends(passedBefore: instant)) { _, _ in
            isShown = false
            return false
        }
        return isShown
    }

    /// Ends the transactions before their owner does.
    consuming func end() {}
}
