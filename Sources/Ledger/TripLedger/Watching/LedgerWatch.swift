import EventStore
import Projections
import SystemPackage
public import TripEvents
import TripTracking

/// Follows the log, and tells what becomes of trips and which places are visited.
///
/// It keeps views of its own in a temporary directory, which know exactly what it has told: what
/// other processes do with the ledger's views does not matter. A notification about a trip reports
/// the difference to the last look, however many events led to it.
public struct LedgerWatch: ~Copyable {
    /// The most entries that are read before what they mean is told: it bounds the memory that this
    /// takes.
    private static let mostEntriesAtOnce: UInt64 = 100_000

    /// The fewest entries of a backlog that are read at once.
    private static let leastEntriesAtOnce: UInt64 = 256

    /// The divisor for the part of the rest of a backlog that is read at once: a notification has
    /// the position before that part, from which a reader that was interrupted begins again.
    private static let partsOfBacklog: UInt64 = 100

    /// The size of the log at the first look: what is before is the backlog.
    private var backlogEnd: UInt64?

    private let ledger: Ledger
    private let store: ViewStore
    private let writer: ViewWriter
    private var cursor: ViewCursor
    private var basis: StatusBasis
    private var visits: VisitWatch

    /// Trips whose end by passing time was reported: in the views they still go on.
    private var overdue: [TripID: BookedTrip] = [:]

    /// The notifications that were sent about the trips that go on, by trip.
    private var alarms: [TripID: Set<LedgerNotification.Kind>] = [:]

    /// Whether the next look gives notifications; the first look may only set the starting point.
    private var isTelling: Bool

    /// The notification after which the next look goes on; `nil` for the next entries.
    private var goingOnAfter: WatchCursor?

    /// The size of the log up to which everything has been reported.
    public var position: UInt64 { cursor.size }

    /// Whether everything in the log has been reported.
    public private(set) var isCaughtUp = false

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, which stays open as long as this lives.
    ///   - position: The size of the log up to which everything is known; `nil` for all of it, and
    ///     what holds at the first look.
    ///   - lookedAt: When another watch, which had read the log up to the position, last looked:
    ///     what it told of trips because of passing time is not told again. `nil` for none.
    /// - Throws: `.notFound` if the log is not that long, `.damaged`, `.inputOutput`.
    public init(
        _ ledger: Ledger,
        since position: UInt64? = nil,
        lookedAt: Timestamp? = nil
    ) throws(LedgerError) {
        let head = try ledger.head()
        let start = position ?? head.size
        guard start <= head.size else {
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "the log has \(head.size) entries, and none after \(start)",
                hint: "Leave --since out to watch from now on"
            )
        }
        let parts = try LedgerError.translating(at: ledger.path) {
            let store = try ViewStore.createTemporary()
            do {
                let writer = store.forFilling()
                var runner = ProjectionRunner(
                    log: ledger.log,
                    rules: ledger.rules,
                    changing: writer,
                    from: ViewCursor(versions: ViewSet.versions)
                )
                try runner.run(upTo: start)
                let basis = try ledger.statusBasis(of: writer.views, at: head)
                var visits = VisitWatch(ledger)
                _ = try visits.changes(upTo: start, writer.views)
                let known = try lookedAt.map { try basis.status(asOf: $0) }
                return (store, writer, runner.cursor, basis, visits, known)
            } catch {
                store.close()
                throw error
            }
        }
        self.ledger = ledger
        let known: LedgerStatus?
        (store, writer, cursor, basis, visits, known) = parts
        isTelling = position != nil
        if let known { remember(known) }
    }

    /// Begins to watch after a notification that another watch gave.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, which stays open as long as this lives.
    ///   - cursor: The place of the notification.
    /// - Throws: `.notFound` if the log is not that long, `.damaged`, `.inputOutput`.
    public init(_ ledger: Ledger, after cursor: WatchCursor) throws(LedgerError) {
        let size = try ledger.head().size
        guard cursor.upTo <= size else {
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: "the log has \(size) entries, and the notice follows from \(cursor.upTo)",
                hint: "Leave --since out to watch from now on"
            )
        }
        try self.init(ledger, since: cursor.from)
        goingOnAfter = cursor
    }

    deinit { store.close() }

    /// Returns the notifications since the last call, in order of device time.
    ///
    /// If the log has grown by a lot, this is not all; see ``isCaughtUp``.
    ///
    /// - Parameter now: The present.
    /// - Returns: The notifications.
    /// - Throws: `.damaged`, `.inputOutput`.
    public mutating func notifications(
        asOf now: Timestamp
    ) throws(LedgerError) -> [LedgerNotification] {
        let head = try ledger.head()
        let position = cursor.size
        let told = goingOnAfter?.told ?? 0
        var ofLog = News(foundAt: now, position: position)
        var changes: [TripID: TripChange] = [:]
        if head.size > position, goingOnAfter.map({ $0.upTo > position }) ?? true {
            changes = try read(upTo: head)
            for (source, change) in try visitChanges() { ofLog.tell(change, of: source) }
        }
        goingOnAfter = nil
        isCaughtUp = cursor.size >= head.size
        let status = isCaughtUp ? try basis.status(asOf: now) : nil
        var news = ofLog
        // Notifications that follow from passing time are left out of `ofLog`: another watch would
        // not know them.
        for change in changes.values { ofLog.tell(change) }
        for change in withTimeEnds(changes, status) { news.tell(change) }
        for alarm in status?.sources.compactMap({ TripAlarms($0) }) ?? [] {
            news.tell(alarm, but: alarms[alarm.trip.id] ?? [])
        }
        if let status { remember(status) }
        guard isTelling else {
            isTelling = true
            return []
        }
        return news.placed(among: ofLog, upTo: cursor.size, told: told)
    }

    /// Returns which places were entered and left in what was read last.
    private mutating func visitChanges() throws(LedgerError) -> [(String, VisitChange)] {
        var next = visits
        let (end, rows) = (cursor.size, writer.views)
        let changes = try LedgerError.translating(at: ledger.path) {
            try next.changes(upTo: end, rows)
        }
        visits = next
        return changes
    }

    /// Reads more of the log, and returns what that changes about trips.
    private mutating func read(upTo head: LedgerHead) throws(LedgerError) -> [TripID: TripChange] {
        let end = min(head.size, cursor.size + entriesAtOnce(upTo: head))
        let (ledger, writer, start) = (ledger, writer, cursor)
        let (runner, basis) = try LedgerError.translating(at: ledger.path) {
            var runner = ProjectionRunner(
                log: ledger.log,
                rules: ledger.rules,
                changing: writer,
                from: start
            )
            runner.views.tripChanges = []
            try runner.run(upTo: end)
            return (runner, try ledger.statusBasis(of: writer.views, at: head))
        }
        cursor = runner.cursor
        self.basis = basis
        var changes: [TripID: TripChange] = [:]
        for change in runner.views.tripChanges ?? [] {
            guard let id = change.new?.id ?? change.old?.id else { continue }
            changes[id] = TripChange(old: changes[id].map(\.old) ?? change.old, new: change.new)
        }
        return changes
    }

    /// Returns how many entries are read at once.
    private mutating func entriesAtOnce(upTo head: LedgerHead) -> UInt64 {
        if let goingOnAfter { return goingOnAfter.upTo - goingOnAfter.from }
        let backlogEnd = backlogEnd ?? head.size
        self.backlogEnd = backlogEnd
        guard isTelling, cursor.size < backlogEnd else { return Self.mostEntriesAtOnce }
        let part = (backlogEnd - cursor.size) / Self.partsOfBacklog
        return min(Self.mostEntriesAtOnce, max(Self.leastEntriesAtOnce, part))
    }

    /// Returns what has become of trips, with the ends that time alone has caused, or that late
    /// events show not to have happened.
    private mutating func withTimeEnds(
        _ found: [TripID: TripChange],
        _ status: LedgerStatus?
    ) -> [TripChange] {
        var changes = found
        for (id, change) in found {
            guard let told = overdue.removeValue(forKey: id) else { continue }
            changes[id] = TripChange(old: told, new: change.new)
        }
        for source in status?.sources ?? [] {
            if let ended = source.endedByTime {
                var goingOn = ended
                goingOn.trip.status = .active
                let old = changes[ended.id].map(\.old) ?? overdue[ended.id] ?? goingOn
                changes[ended.id] = TripChange(old: old, new: ended)
            } else if let trip = source.bookedTrip, let told = overdue[trip.id] {
                changes[trip.id] = TripChange(old: told, new: trip)
            }
        }
        return Array(changes.values)
    }

    /// Remembers what was told and still holds.
    private mutating func remember(_ status: LedgerStatus) {
        overdue = [:]
        alarms = [:]
        for source in status.sources {
            if let ended = source.endedByTime { overdue[ended.id] = ended }
            if let alarm = TripAlarms(source) { alarms[alarm.trip.id] = Set(alarm.since.keys) }
        }
    }
}

extension Ledger {
    /// Returns what a status follows from, as some views of this ledger know it.
    fileprivate func statusBasis(of store: ReadableViews, at head: LedgerHead) throws -> StatusBasis
    {
        let trackers = TrackerFolds(
            log: log,
            rules: rules,
            over: store,
            from: ViewCursor(versions: ViewSet.versions)
        )
        return try StatusBasis(
            of: store,
            trackers,
            founding,
            settings(),
            at: head,
            lag: nil,
            in: path,
            asking: trackers.ambient.order.directory,
            selecting: .withTrip
        )
    }
}
