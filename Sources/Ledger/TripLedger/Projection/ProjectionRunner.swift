import EventStore
import Projections
import Proofs
import TripEvents
import TripTracking

/// Folds the log into views: streams new entries through the trackers, folds sources with late
/// events again, and hands rows and cursor over to be committed together.
struct ProjectionRunner {
    /// Buffered rows after which a run commits what it has.
    static let rowsPerCommit = 500

    /// Buffered rows after which a run commits what it has however many folds that stores: all
    /// folds that changed are stored with them.
    private static let mostRowsPerCommit = 8_000

    /// The same for this run.
    var rowsPerCommit = Self.rowsPerCommit

    /// Entries after which a run says how far it is.
    private static let entriesPerReport: UInt64 = 1 << 17

    let log: ReadableLog
    let rules: TrackingRules
    let store: ReadableViews?
    private let writer: ViewWriter?
    var names: SourceNames
    private(set) var directory: LogDirectory

    var cursor: ViewCursor
    var views: ViewSet
    var rewinds: ViewBuffer
    var report = ProjectionReport()

    /// The events that concern all sources, in event order.
    var ambientRows: ViewBuffer

    /// Those among them that some sources have not seen yet.
    var news = AmbientNews()

    /// The positions of the log up to which sources were given these events, for sources whose
    /// folds this run has stored.
    var storedUpTo: [UInt32: UInt64] = [:]

    /// The decisions about clocks, once they are needed.
    var clockBook: ClockBook?

    /// The sources about whose clocks this run has read decisions, by the bytes of their names.
    var clockNews: Set<[UInt8]> = []

    /// The rules and places of trackers between trips, at some points of event order.
    var ambientPoints = AmbientPoints()

    /// The splits of each trip.
    var splits: ViewBuffer

    /// When time alone ends the trips in progress.
    var ends: ViewBuffer

    /// The view of visits.
    var visits: VisitView

    /// Whether entries that are new to the view of visits may change what earlier fixes mean.
    var hasVisitNews = false

    var storedFolds: ViewBuffer

    /// The folds that have changed since the last commit.
    var folds: [UInt32: SourceFold] = [:]

    /// The folds that are as they were stored by the last commit that changed them.
    var keptFolds = KeptFolds()

    private var refoldedSources: Set<UInt32> = []
    var bufferedRows = 0

    /// Prepares a run that changes stored views.
    init(
        log: ReadableLog,
        rules: TrackingRules,
        changing writer: ViewWriter,
        from cursor: ViewCursor
    ) {
        self.init(log: log, rules: rules, over: writer.views, writer, from: cursor)
    }

    /// Prepares to ask stored views, or, without a store, a run over new ones in memory.
    init(
        log: ReadableLog,
        rules: TrackingRules,
        over store: ReadableViews?,
        from cursor: ViewCursor
    ) {
        self.init(log: log, rules: rules, over: store, nil, from: cursor)
    }

    private init(
        log: ReadableLog,
        rules: TrackingRules,
        over store: ReadableViews?,
        _ writer: ViewWriter?,
        from cursor: ViewCursor
    ) {
        self.log = log
        self.rules = rules
        self.store = store
        self.writer = writer
        self.cursor = cursor
        names = SourceNames(log)
        directory = LogDirectory(log: log, names: names)
        views = ViewSet(over: store)
        rewinds = ViewBuffer(.rewinds, over: store)
        ambientRows = ViewBuffer(.ambient, over: store)
        splits = ViewBuffer(.splits, over: store)
        ends = ViewBuffer(.ends, over: store)
        visits = VisitView(over: store)
        storedFolds = ViewBuffer(.folds, over: store)
    }

    /// Reads the log from the cursor on and commits what that changes.
    ///
    /// - Parameters:
    ///   - end: Entries at this position and after it are not read.
    ///   - instant: The instant to which time passes; `nil` for that to which it has.
    ///   - onProgress: Told the position reached, now and then.
    /// - Throws: `EventLogError.damaged`, `RowCodingError` or `LMDBError`.
    mutating func run(
        upTo end: UInt64,
        asOf instant: Timestamp? = nil,
        _ onProgress: (UInt64) -> Void = { _ in }
    ) throws {
        try loadNews()
        let hasPassed = try passTime(to: instant ?? cursor.passingTo ?? cursor.passedTo)
        let wasTold = cursor.toldUpTo == end && cursor.visitsUpTo == end
        // A run that was cut off may have read what changes visits.
        hasVisitNews = cursor.visitsUpTo < cursor.size
        while cursor.size < end {
            let start = cursor.size
            try readBlocks(upTo: end, onProgress)
            guard cursor.size > start else {
                throw EventLogError.damaged(
                    position: start,
                    "the log says that it holds \(end) entries, and ends here"
                )
            }
            if cursor.size < end {
                try commit()
                onProgress(cursor.size)
            }
        }
        try tellAll(in: store)
        repeat {
            try refoldLateSources()
            try settleSplits()
        } while !cursor.lateSources.isEmpty
        try updateVisits(onProgress)
        if !wasTold || hasPassed || report.refoldedSources > 0 || cursor.awaitsBooking {
            try finish()
        }
        report.size = cursor.size
        onProgress(cursor.size)
    }

    /// Reads until the end, and commits whenever enough has changed.
    private mutating func readBlocks(
        upTo end: UInt64,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var reportDue = cursor.size + Self.entriesPerReport
        var active = ActiveFold(rules: rules)
        try LogReader(log, from: cursor.size, upTo: end)
            .forEachBatch { batch in
                for run in batch.runs {
                    try fold(run, of: batch, &active)
                    guard isCommitDue, cursor.size < end else { continue }
                    putAway(&active)
                    try commit()
                    onProgress(cursor.size)
                }
                if cursor.size >= reportDue {
                    reportDue = cursor.size + Self.entriesPerReport
                    onProgress(cursor.size)
                }
                return true
            }
        putAway(&active)
    }

    /// Folds entries that are folded in one go.
    private mutating func fold(
        _ run: DecodedEntries.Run,
        of batch: DecodedEntries,
        _ active: inout ActiveFold
    ) throws {
        switch run {
        case .fixes(let run):
            try activate(run.source, &active)
            try take(run, of: batch, &active.fold)
            cursor.size += UInt64(run.end - run.start)
            report.read += UInt64(run.end - run.start)
        case .entry(let range):
            guard let entry = EntryView(startOf: batch.bytes.span.extracting(range)) else {
                preconditionFailure("a batch holds the bytes of whole entries")
            }
            if entry.source != 0, !entry.isTombstone {
                try activate(entry.source, &active)
                try take(entry, at: cursor.size, &active.fold)
            } else {
                // The ledger's own events concern no tracker.
                try note(entry, EventMark(entry, at: cursor.size))
            }
            cursor.size += 1
            report.read += 1
        }
    }

    /// Puts the fold that was worked on back to the others, and ends the work on it.
    private mutating func putAway(_ active: inout ActiveFold) {
        putBack(&active)
        active = ActiveFold(rules: rules)
    }

    private mutating func putBack(_ active: inout ActiveFold) {
        guard active.source != 0 else { return }
        active.fold.toldUpTo = cursor.size
        folds[active.source] = active.fold
    }

    /// Makes the fold of a source the one that is worked on.
    private mutating func activate(_ source: UInt32, _ active: inout ActiveFold) throws {
        guard active.source != source else { return }
        putBack(&active)
        active.fold = try fold(of: source, at: cursor.size)
        active.source = source
        try tell(source, &active.fold)
    }

    mutating func fold(of source: UInt32, at position: UInt64) throws -> SourceFold {
        // Taken out, so that the one that is worked on is not copied when it changes.
        if let fold = folds.removeValue(forKey: source) ?? keptFolds.take(source) { return fold }
        let stored = try storedFolds.value(ViewKey.source(source))
        keptFolds.count(source, storedBytes: stored?.count ?? 0)
        if let stored {
            let fold = try SourceFold(decoding: stored)
            guard (fold.last?.position ?? 0) < cursor.size else {
                throw StaleViews.damaged("a source is ahead of them")
            }
            return fold
        }
        let registered = try names.source(of: source, at: position)
        return SourceFold(
            tracker: Tracker(source: registered.name, group: registered.group, rules: rules),
            clock: try clock(of: registered)
        )
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
            // For all others it happened when the source said.
            try note(entry, EventMark(entry, at: position))
        }
        let mark = EventMark(entry, at: position, clock: fold.clock)
        guard try !isLate(mark, source: entry.source, &fold) else { return }
        try evolve(entry, mark, source: entry.source, &fold)
    }

    /// Returns whether an event comes too late for its source's tracker, and notes where the source
    /// is to be folded again from.
    mutating func isLate(
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws -> Bool {
        if let lateFrom = fold.lateFrom {
            if try precedes(mark, lateFrom) { fold.lateFrom = mark }
            return true
        }
        guard let last = fold.last, try precedes(mark, last) else { return false }
        fold.lateFrom = mark
        cursor.lateSources.insert(source)
        return true
    }

    /// Books a decision, and takes note of what concerns all sources.
    private mutating func note(_ entry: EntryView, _ mark: EventMark) throws {
        guard let kind = EventKind(rawValue: entry.kind) else { return }
        let isDecision = Decision.kinds.contains(kind)
        guard isDecision || AmbientEvent.kinds.contains(kind) else { return }
        noteVisits(kind)
        let stored = try storedEvent(entry, at: mark.position)
        bufferedRows += 1
        if isDecision {
            let decision = Decision(
                stored.event,
                identity: stored.identity,
                recordedAt: stored.recordedAt
            )
            if let decision {
                try noteClock(decision)
                try views.decide(decision)
            }
            noteSplit(stored, mark, source: entry.source)
        }
        let event = AmbientEvent(stored, mark, source: entry.source)
        if let event, event.split == nil { announce(event) }
    }

    /// Feeds one event to a tracker and its steps to the views.
    mutating func evolve(
        _ entry: EntryView,
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let form = PayloadForm(rawValue: entry.form)
        let steps: [TripStep]
        if entry.kind == EventKind.fixRecorded.rawValue,
            let fix = Fix(payload: entry.payload, form: form, occurredAt: mark.occurredAt)
        {
            let recordedAt = Timestamp(milliseconds: entry.recordedAt)
            // A forger's clock must not stop the sums.
            guard RFC3339.writable.contains(mark.occurredAt), RFC3339.writable.contains(recordedAt)
            else { throw EventLogError.damaged(position: mark.position, "its time is in no year") }
            let stamp = EventStamp(
                occurredAt: mark.occurredAt,
                recordedAt: recordedAt,
                position: mark.position
            )
            try feedAmbientEvents(before: mark, to: source, &fold)
            fold.last = mark
            // Nearly all fixes, without counting the references of the directory.
            if fold.tracker.evolveOnFastPath(fix, stamp: stamp) { return }
            var context = TrackingContext(events: directory)
            try fold.tracker.evolve(fix: fix, stamp: stamp, in: &context)
            if context.steps.isEmpty { return }
            steps = context.steps
        } else {
            var stored = try storedEvent(entry, at: mark.position)
            stored.happenedAt = mark.occurredAt
            try feedAmbientEvents(before: mark, to: source, &fold)
            fold.last = mark
            if case .unknown = stored.event.body {
                report.unknown += 1
                return
            }
            directory.note(stored)
            var context = TrackingContext(events: directory)
            try fold.tracker.evolve(stored.event.body, stamp: stored.stamp, in: &context)
            steps = context.steps
        }
        try book(steps, mark, source: source, &fold)
    }

    /// Gives the steps of an event to the views, and keeps the tracker as it is at the end of a
    /// trip.
    mutating func book(
        _ steps: [TripStep],
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        var ended: [TripID] = []
        for step in steps {
            views.evolve(step)
            bufferedRows += 1
            if case .ended(let trip) = step { ended.append(trip.id) }
        }
        guard !ended.isEmpty else { return }
        fold.formerTrips.subtract(ended)
        let point = RewindPoint(
            trips: ended,
            mark: mark,
            tracker: fold.tracker
        )
        let key = ViewKey.rewind(source, at: mark.occurredAt, position: mark.position)
        rewinds.put(key, point.encoded)
    }

    /// Decodes an entry.
    private mutating func storedEvent(
        _ entry: EntryView,
        at position: UInt64
    ) throws -> StoredEvent {
        let source = try names.source(of: entry.source, at: position)
        return try StoredEvent(entry, at: position, source: source)
    }

    /// Returns the event at a position.
    mutating func storedEvent(at position: UInt64) throws -> StoredEvent {
        let stored = try log.withEntry(at: position) { try storedEvent($0, at: position) }
        guard let stored else { throw StaleViews.unknownEntry }
        return stored
    }

    /// Whether there are enough rows to commit, or too many folds in memory.
    ///
    /// Each commit stores all folds that have changed: with as many rows as folds, that costs no
    /// more than the rows.
    private var isCommitDue: Bool {
        let mostRows = min(max(rowsPerCommit, folds.count), Self.mostRowsPerCommit)
        // Without a store nothing leaves memory.
        return bufferedRows >= mostRows || keptFolds.isFull && store != nil
    }

    /// Shows open trips as they are now, and makes everything durable in one transaction.
    mutating func commit() throws {
        try storeFolds()
        try views.bookSteps()
        cursor.awaitsBooking = cursor.awaitsBooking || views.hasLeftWork
        try makeDurable()
    }

    /// Commits what is left, and books the trips that were left for the end, in parts.
    private mutating func finish() throws {
        try storeFolds()
        repeat {
            cursor.awaitsBooking = try !views.bookTrips(upTo: Self.rowsPerCommit)
            try makeDurable()
        } while cursor.awaitsBooking
    }

    /// Makes all changes durable in one transaction.
    private mutating func makeDurable() throws {
        bufferedRows = 0
        if cursor.size > 0 {
            cursor.lastLeaf =
                try log.withEntry(at: cursor.size - 1) { $0.leafHash.description } ?? ""
        }
        guard let writer else { return }
        let store = writer.views
        var state = ViewBuffer(.state, over: store)
        state.put(ViewCursor.key, cursor.encoded)
        let feed = try FeedProjection.buffers(
            telling: views.buffers,
            in: store,
            atSize: cursor.size
        )
        try writer.commit(
            [state, storedFolds, rewinds, ambientRows, splits, ends] + views.buffers
                + visits.buffers + feed
        )
        let tripChanges = views.tripChanges
        views = ViewSet(over: store)
        views.tripChanges = tripChanges
        rewinds = rewinds.emptied()
        ambientRows = ambientRows.emptied()
        splits = splits.emptied()
        ends = ends.emptied()
        visits = VisitView(over: store)
        storedFolds = storedFolds.emptied()
        keptFolds.keep(folds)
        folds = [:]
    }
}

// A source with late events is folded again from the last trip that ended before them. That is
// committed in parts, so that years of trips are never in memory at once. Until the last part the
// source stays late: a run after one that was cut off begins again at the same event.
extension ProjectionRunner {
    /// Rows that are read at once.
    private static let rowsPerPart = 64

    /// Folds all sources again that have late events.
    private mutating func refoldLateSources() throws {
        var rest = cursor.lateSources.sorted()[...]
        while !rest.isEmpty {
            var gathered = try gather(rest)
            repeat {
                let source = rest.removeFirst()
                var fold = try fold(of: source, at: cursor.size)
                try refold(source, gathered.take(source), &fold)
                folds[source] = fold
                refoldedSources.insert(source)
                if isCommitDue { try commit() }
            } while gathered.count > 0 && !rest.isEmpty
        }
        report.refoldedSources = refoldedSources.count
        cursor.lateSources = []
    }

    /// Folds a source again from the last trip that ended before its earliest late event, and
    /// withdraws the trips that are not there any more; `gathered` are its events, if they were
    /// gathered.
    private mutating func refold(
        _ source: UInt32,
        _ gathered: GatheredEvents.OfSource?,
        _ fold: inout SourceFold
    ) throws {
        guard let lateFrom = fold.lateFrom else { return }
        if let trip = fold.tracker.openTrip { fold.formerTrips.insert(trip.id) }
        try forget(from: lateFrom, source: source, &fold)
        let point = try rewindPoint(of: source, before: lateFrom.occurredAt)
        fold.tracker =
            point?.tracker
            ?? Tracker(source: fold.tracker.source, group: fold.tracker.group, rules: rules)
        fold.last = point?.mark
        fold.ambientDueAt = SourceFold.alwaysDue
        fold.toldUpTo = cursor.size
        if let gathered, gathered.after == point?.mark {
            try foldInEventOrder(gathered, of: source, &fold)
        } else {
            try foldInEventOrder(source, after: point?.mark, &fold)
        }
        if let trip = fold.tracker.openTrip { fold.formerTrips.remove(trip.id) }
        for trip in fold.formerTrips.sorted() {
            views.evolve(.withdrawn(trip))
            fold.formerTrips.remove(trip)
            bufferedRows += 1
            try commitPart(of: source, fold)
        }
        fold.lateFrom = nil
    }

    /// Deletes the points to come back to from an event on, and notes which trips had ended there.
    private mutating func forget(
        from mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let end = KeyRange(prefix: ViewKey.source(source)).upTo
        let keys = KeyRange(from: ViewKey.rewind(source, at: mark.occurredAt), upTo: end)
        while true {
            let rows = try rewinds.rows(in: keys, limit: Self.rowsPerPart)
            for row in rows {
                fold.formerTrips.formUnion(try RewindPoint(decoding: row.value).trips)
                rewinds.delete(row.key)
            }
            if rows.count < Self.rowsPerPart { return }
        }
    }

    /// Commits what folding a source again has come to so far, if it is enough.
    mutating func commitPart(of source: UInt32, _ fold: SourceFold) throws {
        guard bufferedRows >= rowsPerCommit else { return }
        storedFolds.put(ViewKey.source(source), fold.encoded)
        try commit()
    }
}

// The trackers wait for their sources' next events; the rows show what the time until an instant
// has made of their trips. So rows are a function of the log and of that instant.
extension ProjectionRunner {
    /// Lets time pass to an instant, or back to one: trips end that are due by then, and go on that
    /// are due later.
    ///
    /// - Returns: Whether that has changed anything.
    private mutating func passTime(to instant: Timestamp) throws -> Bool {
        var hasChanged = cursor.passingTo != nil
        if let store {
            var keys = cursor.ends(passedBefore: instant)
            cursor.passingTo = instant
            while true {
                var sources: [[UInt8]] = []
                try store.scan(.ends, in: keys) { key, _ in
                    sources.append(key)
                    return sources.count < Self.rowsPerCommit
                }
                guard let last = sources.last else { break }
                for key in sources {
                    let source = ViewKey.end(of: key).source
                    folds[source] = try fold(of: source, at: cursor.size)
                }
                try commit()
                hasChanged = true
                keys.from = last + [0]
            }
        }
        cursor.passingTo = nil
        cursor.passedTo = instant
        return hasChanged
    }

    /// Shows open trips as they are now, or as time has ended them.
    private mutating func storeFolds() throws {
        let instant = cursor.passingTo ?? cursor.passedTo
        for source in folds.keys.sorted() {
            guard var fold = folds.removeValue(forKey: source) else { continue }
            try tell(source, &fold)
            folds[source] = fold
            if !news.isEmpty { storedUpTo[source] = cursor.size }
            var settled = try settled(source, fold)
            let endsAt = settled.tracker.endsAt
            if fold.endsAt != endsAt {
                if let end = fold.endsAt { ends.delete(ViewKey.end(at: end, of: source)) }
                if let endsAt { ends.put(ViewKey.end(at: endsAt, of: source), []) }
                fold.endsAt = endsAt
                folds[source] = fold
            }
            var context = TrackingContext(events: directory)
            try settled.tracker.advance(to: instant, in: &context)
            for step in settled.steps + context.steps { views.evolve(step) }
            if let trip = settled.tracker.openTrip { views.evolve(.updated(trip)) }
            let encoded = fold.encoded
            keptFolds.count(source, storedBytes: encoded.count)
            storedFolds.put(ViewKey.source(source), encoded)
        }
    }
}

// Inferences of other programs bypass the trackers: no trip follows from one, it is never late, and
// it does not show that a device was on.
extension ProjectionRunner {
    /// Keeps what others inferred.
    private mutating func keepInference(_ entry: EntryView, at position: UInt64) throws {
        let stored = try storedEvent(entry, at: position)
        let inference = ReportedInference(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        // Not so if a newer version of the program wrote it.
        guard let inference else { return }
        bufferedRows += 1
        try views.note(inference)
    }
}

extension EntryView {
    /// Whether it holds what others inferred.
    var isInference: Bool { kind == EventKind.inferenceReported.rawValue }
}
