import EventStore
import Projections
import Proofs
import SystemPackage
import TripEvents
import TripTracking
import TripsProjection

extension Snapshot {
    /// Returns the events that were appended after some entries, and what they changed.
    ///
    /// The earlier trips are derived again from the earlier entries alone. Entries that were erased
    /// since are missing there, too.
    ///
    /// - Parameter start: Where the changes begin.
    /// - Returns: The changes.
    /// - Throws: `.forked` if the log does not begin with the entries of a head, `.notFound` if it
    ///   does not have so many entries; `.damaged`, `.inputOutput`.
    public func changes(since start: ChangesStart) throws(LedgerError) -> LedgerChanges {
        try asking {
            let since = try earlierHead(start)
            var changes = LedgerChanges(
                since: since,
                until: head,
                before: try instant(of: start, size: since.size)
            )
            guard since.size < head.size else { return changes }
            let temporary = try ViewStore.createTemporary()
            defer { temporary.close() }
            let writer = temporary.forFilling()
            let earlier = writer.views
            var runner = ProjectionRunner(
                log: log,
                rules: rules,
                changing: writer,
                from: ViewCursor(versions: ViewSet.versions, passedTo: passedTo)
            )
            try runner.run(upTo: since.size)
            let pairs = try changedRows(earlier)
            let appended = try AppendedEntries(
                since.size..<head.size,
                in: log,
                TripEvidence(
                    pairs.compactMap(\.now),
                    TripBook(over: store),
                    upTo: head.size,
                    in: log
                )
            )
            changes.take(pairs, appended)
            try addTrips(unknownTo: earlier, &changes)
            try addDecisions(appended, about: pairs.compactMap(\.now), &changes)
            return changes
        }
    }

    /// Returns the size and root that the log had at the start.
    private func earlierHead(_ start: ChangesStart) throws -> LedgerHead {
        let size =
            switch start {
            case .size(let size): size
            case .head(let head): head.size
            case .instant(let instant): try firstPosition(recordedFrom: instant)
            }
        if case .head(let known) = start, size != head.size, known.root == head.root.description {
            throw mistyped(size)
        }
        guard size <= head.size else { throw tooLarge(start, size) }
        let root = try LogTree(log).root(atSize: size)
        let earlier = TreeHead(size: size, root: root)
        if case .head(let known) = start, TreeHead(known) != earlier {
            throw LedgerError(
                .forked,
                at: path.string,
                cause: "the first \(size) entries are not those of the head: they have root "
                    + "\(root), and it has \(known.root)",
                hint: "If it is a head of this ledger, something before it was changed"
            )
        }
        return LedgerHead(earlier)
    }

    /// No log has the root of a longer or a shorter one.
    private func mistyped(_ size: UInt64) -> LedgerError {
        LedgerError(
            .forked,
            at: path.string,
            cause: "the root of the head is that of \(head.size) entries, and its count is \(size)",
            hint: "The count was mistyped: compare it with the paper"
        )
    }

    private func tooLarge(_ start: ChangesStart, _ size: UInt64) -> LedgerError {
        guard case .head = start else {
            return LedgerError(
                .notFound,
                at: path.string,
                cause: "there are \(head.size) entries, not \(size)"
            )
        }
        return LedgerError(
            .forked,
            at: path.string,
            cause: "the head is of \(size) entries, and the log has \(head.size)",
            hint: "If it is a head of this ledger, entries were taken away"
        )
    }

    /// Returns the position of the first entry that was stored at an instant or later.
    private func firstPosition(recordedFrom instant: Timestamp) throws -> UInt64 {
        // The ledger's clock never goes back.
        var range = 0..<head.size
        while !range.isEmpty {
            let middle = range.lowerBound + UInt64(range.count) / 2
            if try recordedAt(middle) < instant {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound
    }

    private func recordedAt(_ position: UInt64) throws -> Timestamp {
        guard let time = try log.withEntry(at: position, { $0.recordedAt }) else {
            throw EventLogError.damaged(position: position, "it is missing")
        }
        return Timestamp(milliseconds: time)
    }

    /// Returns the instant before which earlier trips started.
    private func instant(of start: ChangesStart, size: UInt64) throws -> Timestamp? {
        if case .instant(let instant) = start { return instant }
        // A trip that began with the last of the earlier entries is an earlier one.
        return try size == 0 ? nil : recordedAt(size - 1).advanced(byMilliseconds: 1)
    }

    /// Returns the rows of trips that have changed, in order of their starts.
    private func changedRows(
        _ earlier: ReadableViews
    ) throws -> [(before: TripRow, now: TripRow?)] {
        var pairs: [(before: TripRow, now: TripRow?)] = []
        try earlier.scanTrips(isDescending: true) { row in
            let now = try store.tripRow(row.trip.id)
            if now != row { pairs.append((row, now)) }
            return true
        }
        return pairs
    }

    /// Adds the trips that did not follow from the earlier entries alone.
    private func addTrips(
        unknownTo earlier: ReadableViews,
        _ changes: inout LedgerChanges
    ) throws {
        try store.scanTrips(isDescending: true) { row in
            guard try earlier.value(.trips, row.key) == nil else { return true }
            if changes.isEarlier(row.booked) {
                changes.addedTrips.append(row.booked)
            } else {
                changes.laterTripCount += 1
            }
            return true
        }
    }

    /// Adds what people decided about earlier trips: those that decisions name, and those that took
    /// over decisions about others.
    private func addDecisions(
        _ appended: AppendedEntries,
        about changed: [TripRow],
        _ changes: inout LedgerChanges
    ) throws {
        let book = TripBook(over: store)
        let withoutEffect = try book.decisionsWithoutEffect(beside: settings)
            .map(\.decision.order.identity)
        changes.withoutEffect = Set(withoutEffect).count { appended.decisions[$0] != nil }
        var trips = Set(changed.map(\.trip.id))
        trips.formUnion(appended.decidedTrips)
        var lines: Set<TripAmendment> = []
        for trip in trips.sorted() {
            guard let row = try store.tripRow(trip), changes.isEarlier(row.booked)
            else { continue }
            for line in try book.history(of: trip) {
                guard let position = appended.decisions[line.decision],
                    lines.insert(line).inserted
                else { continue }
                changes.amendments.append((position, line))
            }
        }
        changes.amendments.sort { $0.position > $1.position }
    }
}

extension LedgerChanges {
    /// Takes over what the entries say, and the trips that had ended before them.
    fileprivate mutating func take(
        _ pairs: [(before: TripRow, now: TripRow?)],
        _ appended: AppendedEntries
    ) {
        entryCounts = appended.counts.sorted { $0.key < $1.key }
            .map { (type: $0.key, count: $0.value) }
        erasures = appended.erasures.reversed()
        rules = appended.rules.reversed()
        clockShifts = appended.clockShifts.reversed()
        sources = appended.lastSources
        changedTrips =
            pairs.map { before, now in
                ChangedTrip(
                    before: before.booked,
                    now: now?.booked,
                    lateFixes: appended.lateFixes[before.trip.id] ?? 0
                )
            }
            .filter { trip in
                let hadEnded = trip.before.trip.status != .active
                return trip.now == nil || hadEnded && (trip.hasOtherFigures || trip.lateFixes > 0)
            }
    }
}

/// The content of the entries from a position on.
struct AppendedEntries {
    /// How many entries there are of each type.
    private(set) var counts: [String: UInt64] = [:]

    /// The positions of the decisions, by the identity digests of their events.
    private(set) var decisions: [IdentityDigest: UInt64] = [:]

    /// The trips that decisions name or make.
    private(set) var decidedTrips: Set<TripID> = []

    /// The number of late fixes of each trip that is watched.
    private(set) var lateFixes: [TripID: UInt64] = [:]

    /// The events that say what was erased, in order of position.
    private(set) var erasures: [StoredEvent] = []

    /// The events by which rules were adopted, in order of position.
    private(set) var rules: [StoredEvent] = []

    /// The events that say how the clocks of sources were wrong, in order of position.
    private(set) var clockShifts: [StoredEvent] = []

    /// The events that registered the last sources, in order of position.
    private var sources: [StoredEvent] = []

    /// How many of these events are kept.
    private static let mostSources = 1_000

    /// The events that registered the last sources, the last first.
    var lastSources: [StoredEvent] { sources.suffix(Self.mostSources).reversed() }

    private var evidence: TripEvidence
    private var names: SourceNames

    /// Reads entries.
    ///
    /// - Parameters:
    ///   - range: Their positions.
    ///   - log: The log.
    ///   - evidence: Knows the trips whose late fixes are counted.
    /// - Throws: `EventLogError` or `LMDBError`.
    init(_ range: Range<UInt64>, in log: ReadableLog, _ evidence: TripEvidence) throws {
        self.evidence = evidence
        names = SourceNames(log)
        guard !range.isEmpty else { return }
        try log.scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                if position >= range.lowerBound { try take(entry, at: position) }
            }
            return block.endPosition < range.upperBound
        }
    }

    private mutating func take(_ entry: EntryView, at position: UInt64) throws {
        if entry.kind == EventKind.fixRecorded.rawValue {
            counts[EventKind.fixRecorded.name, default: 0] += 1
            for trip in try evidence.trips(of: entry, at: position) {
                lateFixes[trip, default: 0] += 1
            }
            return
        }
        let source = try names.source(of: entry.source, at: position)
        let stored = try StoredEvent(entry, at: position, source: source)
        counts[stored.event.body.typeName, default: 0] += 1
        switch stored.event.body {
        case .entriesErased: erasures.append(stored)
        case .rulesAdopted: rules.append(stored)
        case .clockShifted: clockShifts.append(stored)
        case .sourceRegistered:
            sources.append(stored)
            if sources.count == 2 * Self.mostSources { sources.removeFirst(Self.mostSources) }
        default: break
        }
        let decision = Decision(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        guard let decision else { return }
        decisions[stored.identity] = position
        decidedTrips.formUnion(decision.namedTrips)
        if let made = decision.madeTrip { decidedTrips.insert(made) }
    }
}
