import EventStore
import Projections
import Proofs
import TripEvents
import TripTracking

/// Writes the views: streams new entries of the log through the trackers, folds sources with late
/// events again, books the results, and commits rows and cursor together.
struct ProjectionRunner {
    /// Buffered rows after which a run commits what it has.
    static let rowsPerCommit = 500

    /// Buffered rows after which a run commits what it has, even if that stores many folds: all
    /// folds that changed are stored with the rows.
    private static let mostRowsPerCommit = 8_000

    /// The same for this run.
    var rowsPerCommit = Self.rowsPerCommit

    /// Entries after which a run says how far it is.
    private static let entriesPerReport: UInt64 = 1 << 17

    private let writer: ViewWriter?

    /// The trackers, the events that they are given, and how far these were read.
    var trackers: TrackerFolds

    /// The book and the views that are made of it.
    var views: ViewSet

    /// The splits of each trip.
    private var splits: RowTable

    /// How far the fixes of each source were read for visits.
    var visitFolds: VisitFolds

    var report = ProjectionReport()

    /// The position in the log before which adoptions of rules are ignored.
    var adoptionsFrom: UInt64 = 0

    /// The sources that were folded again because of late events.
    var refoldedSources: Set<UInt32> = []

    /// Prepares a run that changes stored views.
    init(
        log: ReadableLog,
        rules: TrackingRules,
        changing writer: ViewWriter,
        from cursor: ViewCursor
    ) {
        self.init(TrackerFolds(log: log, rules: rules, over: writer.views, from: cursor), writer)
    }

    /// Prepares a run that makes new views in memory.
    init(inMemory log: ReadableLog, rules: TrackingRules, passedTo instant: Timestamp) {
        let cursor = ViewCursor(versions: ViewSet.versions, passedTo: instant)
        self.init(TrackerFolds(log: log, rules: rules, over: nil, from: cursor), nil)
    }

    private init(_ trackers: TrackerFolds, _ writer: ViewWriter?) {
        self.trackers = trackers
        self.writer = writer
        views = ViewSet(over: writer?.views)
        splits = RowTable(.splits, over: writer?.views)
        visitFolds = VisitFolds(over: writer?.views)
    }

    /// How far the log was read.
    var cursor: ViewCursor { trackers.cursor }

    var log: ReadableLog { trackers.log }
    var rules: TrackingRules { trackers.rules }

    /// Reads the log from the cursor on and commits what that changes.
    ///
    /// - Parameters:
    ///   - end: Entries at this position and after it are not read.
    ///   - instant: The instant to which time passes; `nil` for the one that the views have
    ///     reached.
    ///   - onProgress: Told the position reached, now and then.
    /// - Throws: `EventLogError.damaged`, `RowCodingError` or `LMDBError`.
    mutating func run(
        upTo end: UInt64,
        asOf instant: Timestamp? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws {
        try trackers.loadNews()
        let hasPassed = try passTime(
            to: instant ?? trackers.cursor.passingTo ?? trackers.cursor.passedTo
        )
        let wasTold = trackers.cursor.toldUpTo == end && trackers.cursor.visitsUpTo == end
        if trackers.cursor.visitsUpTo < trackers.cursor.size { visitFolds.noteUnreadEntries() }
        while trackers.cursor.size < end {
            let start = trackers.cursor.size
            try readBlocks(upTo: end, onProgress)
            guard trackers.cursor.size > start else {
                throw EventLogError.damaged(
                    position: start,
                    "the log says that it holds \(end) entries, and ends here"
                )
            }
            if trackers.cursor.size < end {
                try commit()
                onProgress(trackers.cursor.size)
            }
        }
        try trackers.tellAll()
        repeat {
            try refoldLateSources()
            try settleSplits()
        } while !trackers.cursor.lateSources.isEmpty
        try VisitUpdate.run(&self, onProgress)
        if !wasTold || hasPassed || report.refoldedSources > 0 || trackers.cursor.awaitsBooking {
            try finish()
        }
        report.size = trackers.cursor.size
        report.unknown = trackers.unknownCount
        onProgress(trackers.cursor.size)
    }

    /// Reads until the end, and commits whenever enough has changed.
    private mutating func readBlocks(
        upTo end: UInt64,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var reportDue = trackers.cursor.size + Self.entriesPerReport
        var active = ActiveFold(rules: rules)
        try LogReader(log, from: trackers.cursor.size, upTo: end)
            .forEachBatch { batch in
                for run in batch.runs {
                    try fold(run, of: batch, &active)
                    guard isCommitDue, trackers.cursor.size < end else { continue }
                    trackers.putAway(&active)
                    try commit()
                    onProgress(trackers.cursor.size)
                }
                if trackers.cursor.size >= reportDue {
                    reportDue = trackers.cursor.size + Self.entriesPerReport
                    onProgress(trackers.cursor.size)
                }
                return true
            }
        trackers.putAway(&active)
    }

    /// Folds entries that are folded in one go.
    private mutating func fold(
        _ run: DecodedEntries.Run,
        of batch: DecodedEntries,
        _ active: inout ActiveFold
    ) throws {
        switch run {
        case .fixes(let run):
            try trackers.activate(run.source, &active)
            try trackers.take(run, of: batch, &active.place.fold)
            trackers.cursor.size += UInt64(run.end - run.start)
            report.read += UInt64(run.end - run.start)
        case .entry(let range):
            guard let entry = EntryView(startOf: batch.bytes.span.extracting(range)) else {
                preconditionFailure("a batch holds the bytes of whole entries")
            }
            if entry.source != 0, !entry.isTombstone {
                try trackers.activate(entry.source, &active)
                try take(entry, at: trackers.cursor.size, &active.place.fold)
            } else {
                // The ledger's own events concern no tracker.
                try note(entry, EventMark(entry, at: trackers.cursor.size))
            }
            trackers.cursor.size += 1
            report.read += 1
        }
    }

    /// Gives an entry to its source's tracker, or notes that it is late.
    private mutating func take(
        _ entry: EntryView,
        at position: UInt64,
        _ fold: inout SourceFold
    ) throws {
        if entry.kind == EventKind.fixRecorded.rawValue {
            fold.arrival.take(entry, at: position)
        } else if entry.isInference {
            return try keepInference(entry, at: position)
        } else {
            // For everything but the source's own tracker it happened when the source said.
            try note(entry, EventMark(entry, at: position))
        }
        let mark = EventMark(entry, at: position, clock: fold.clock)
        guard try !trackers.isLate(mark, source: entry.source, &fold) else { return }
        try trackers.evolve(entry, mark, source: entry.source, &fold)
    }

    /// Books a decision, and takes note of what concerns all sources.
    private mutating func note(_ entry: EntryView, _ mark: EventMark) throws {
        guard let kind = EventKind(rawValue: entry.kind) else { return }
        let isDecision = Decision.kinds.contains(kind)
        guard isDecision || AmbientEvent.kinds.contains(kind) else { return }
        visitFolds.note(kind)
        let stored = try trackers.ambient.order.storedEvent(entry, at: mark.position)
        trackers.bufferedRows += 1
        if isDecision {
            let decision = Decision(
                stored.event,
                identity: stored.identity,
                recordedAt: stored.recordedAt
            )
            if let decision {
                try trackers.ambient.order.noteClock(decision)
                try views.decide(decision)
            }
            noteSplit(stored, mark, source: entry.source)
        }
        let event = AmbientEvent(stored, mark, source: entry.source)
        let isLeftOut = kind == .rulesAdopted && mark.position < adoptionsFrom
        if let event, event.split == nil, !isLeftOut { trackers.ambient.add(event) }
    }

    /// Whether there are enough rows to commit, or too many folds in memory.
    ///
    /// Each commit stores all folds that have changed: with as many rows as folds, that costs no
    /// more than the rows.
    var isCommitDue: Bool {
        let mostRows = min(max(rowsPerCommit, trackers.folds.count), Self.mostRowsPerCommit)
        // Without a store nothing leaves memory.
        return trackers.bufferedRows >= mostRows || trackers.keptFolds.isFull && writer != nil
    }

    /// Shows open trips as they are now, and makes everything durable in one transaction.
    mutating func commit() throws {
        try trackers.storeFolds()
        try views.write(trackers.takeSteps())
        try views.bookCheapTrips()
        trackers.cursor.awaitsBooking = trackers.cursor.awaitsBooking || views.book.hasLeftWork
        try makeDurable()
    }

    /// Commits what is left, and books the trips that were left for the end, in parts.
    private mutating func finish() throws {
        try trackers.storeFolds()
        try views.write(trackers.takeSteps())
        repeat {
            trackers.cursor.awaitsBooking = try !views.bookTrips(upTo: Self.rowsPerCommit)
            try makeDurable()
        } while trackers.cursor.awaitsBooking
    }

    /// All tables that follow from the log.
    var tables: [TableChanges] {
        [
            (.folds, trackers.storedFolds), (.rewinds, trackers.rewinds),
            (.ambient, trackers.ambient.rows), (.splits, splits), (.ends, trackers.ends),
            (.visitFolds, visitFolds.rows),
        ] + views.tables
    }

    /// Makes all changes durable in one transaction.
    private mutating func makeDurable() throws {
        trackers.bufferedRows = 0
        if trackers.cursor.size > 0 {
            trackers.cursor.lastLeaf =
                try log.withEntry(at: trackers.cursor.size - 1) { $0.leafHash.description } ?? ""
        }
        guard let writer else { return }
        let store = writer.views
        var state = RowTable(.state, over: store)
        state.put(trackers.cursor.encoded, key: ViewCursor.key)
        let feed = try FeedProjection.tables(
            telling: views.tables,
            in: store,
            atSize: trackers.cursor.size
        )
        try writer.commit([(.state, state)] + tables + feed)
        let tripChanges = views.tripChanges
        views = ViewSet(over: store)
        views.tripChanges = tripChanges
        splits = splits.emptied()
        visitFolds.noteCommitted()
        trackers.noteCommitted()
    }
}

// The trackers wait for their sources' next events; the rows show what the time until an instant
// has made of their trips. So rows are a function of the log and of that instant.
extension ProjectionRunner {
    /// Lets time pass to an instant, or back to one: trips that are due by then end, and trips that
    /// are due later go on.
    ///
    /// - Returns: Whether that has changed anything.
    private mutating func passTime(to instant: Timestamp) throws -> Bool {
        var hasChanged = trackers.cursor.passingTo != nil
        if let store = writer?.views {
            var keys = trackers.cursor.ends(passedBefore: instant)
            trackers.cursor.passingTo = instant
            while true {
                var sources: [[UInt8]] = []
                try store.scan(.ends, in: keys) { key, _ in
                    sources.append(key)
                    return sources.count < Self.rowsPerCommit
                }
                guard let last = sources.last else { break }
                for key in sources {
                    let source = ViewKey.end(of: key).source
                    trackers.folds[source] = try trackers.fold(of: source, at: trackers.cursor.size)
                }
                try commit()
                hasChanged = true
                keys.from = last + [0]
            }
        }
        trackers.cursor.passingTo = nil
        trackers.cursor.passedTo = instant
        return hasChanged
    }
}

// The book decides whether a split, or an exclusion, stands, and which source measured its trip;
// both can change with every decision and every trip. The book notes the trips for which they may
// have changed; for each that has, the source is folded again from there.
//
// This ends after finitely many steps: trackers are causal, and whether the trip of a split is
// there follows from what its source was given up to the split and from the trips that earlier
// splits have made. So, taken in order of their instants, each split is settled for good once those
// before it are.
extension ProjectionRunner {
    /// Takes note of a decision that splits a trip or excludes a stretch of it.
    ///
    /// Its effect is found out when all decisions are known.
    private mutating func noteSplit(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) {
        guard let event = AmbientEvent(stored, mark, source: source), let split = event.split else {
            return
        }
        trackers.ambient.rows.put(event.encoded, key: event.key)
        splits.put(event.key, key: ViewKey.split(split.trip, split.made))
    }

    /// Finds out where the splits that may have changed take effect, and which sources become late
    /// by that.
    private mutating func settleSplits() throws {
        try views.write(trackers.takeSteps())
        var last: TripID?
        while true {
            let trips = try views.book.unsettledTrips(after: last, limit: 64)
            for trip in trips { try settleSplits(of: trip) }
            // Trips that were added meanwhile may come before `last`.
            guard !trips.isEmpty || last != nil else { return }
            last = trips.last
        }
    }

    private mutating func settleSplits(of id: TripID) throws {
        let trip = try views.book.splitTrip(id)
        let source = try source(of: trip)
        let group = try source.flatMap { try registered($0)?.group }
        let prefix = ViewKey.split(id)
        for row in try splits.rows(from: prefix, prefix: prefix) {
            let event = try split(at: row.value)
            guard let split = event.split else { continue }
            let stands = trip.stands(split.order, by: event.group, in: group)
            try settle(event, split, at: stands ? source : nil)
        }
        views.book.noteSettled(id)
    }

    /// Returns the source whose tracker measures a trip that was split.
    ///
    /// For a part that a split makes, it is the source of the whole trip, whether the part is there
    /// yet or not: so splits of parts of parts need not wait for each other.
    private func source(of trip: SplitTrip) throws -> String? {
        if let source = trip.source { return source }
        guard let whole = trip.splitFrom,
            let key = try splits.value(forKey: ViewKey.split(whole, trip.id))
        else { return nil }
        return try split(at: key).split?.source
    }

    /// Returns what the log says of the source of a name.
    private func registered(_ name: String) throws -> RegisteredSource? {
        try log.number(ofSource: name).flatMap { try log.source(numbered: $0)?.registered }
    }

    private func split(at key: [UInt8]) throws -> AmbientEvent {
        guard let stored = try trackers.ambient.rows.value(forKey: key) else {
            throw StaleViews.damaged("ambient lacks a split")
        }
        return try AmbientEvent(decoding: stored)
    }

    /// Notes that a split takes effect on the trips of a source, or on none.
    private mutating func settle(
        _ event: AmbientEvent,
        _ split: AmbientSplit,
        at source: String?
    ) throws {
        guard !source.hasSameBytes(as: split.source) else { return }
        var event = event
        event.split?.source = source
        trackers.ambient.change(event)
        // The splits of the part that it makes may concern another source, too.
        try views.book.noteUnsettled(split.made)
        for name in [split.source, source].compactMap(\.self) {
            guard let number = try log.number(ofSource: name) else { continue }
            var fold = try trackers.fold(of: number, at: trackers.cursor.size)
            try trackers.announce(event, to: number, &fold)
            trackers.folds[number] = fold
        }
    }
}

// Inferences of other programs bypass the trackers: no trip follows from one, it is never late, and
// it does not show that a device was on.
extension ProjectionRunner {
    /// Keeps what others inferred.
    private mutating func keepInference(_ entry: EntryView, at position: UInt64) throws {
        let stored = try trackers.ambient.order.storedEvent(entry, at: position)
        let inference = ReportedInference(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        // Not so if a newer version of the program wrote it.
        guard let inference else { return }
        trackers.bufferedRows += 1
        views.note(inference)
    }
}

extension EntryView {
    /// Whether it holds what others inferred.
    var isInference: Bool { kind == EventKind.inferenceReported.rawValue }
}
