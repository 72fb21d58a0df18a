import EventStore
import Projections
import RowCoding
import TripEvents
import TripTracking

/// The trackers of all sources: they fold each source's events in event order, together with the
/// events for all sources.
///
/// It asks stored views and remembers what changes; the run that writes the views takes the steps.
struct TrackerFolds {
    /// Rows that are read at once.
    private static let rowsPerPart = 64

    /// The points to come back to that are read at once, to find the one at which a trip ended.
    private static let pointsPerPart = 4

    let rules: TrackingRules
    let store: ReadableViews?

    /// How far the events were read.
    var cursor: ViewCursor

    /// The events of sources and those for all of them, in event order.
    var ambient: AmbientEvents

    /// The folds that have changed since the last commit.
    var folds = FoldTable()

    /// The folds that are as they were stored by the last commit that changed them.
    var keptFolds = KeptFolds()

    /// The folds as rows.
    private(set) var storedFolds: RowTable

    /// The points from which late events fold their sources again.
    private(set) var rewinds: RowTable

    /// When time alone ends the trips in progress.
    private(set) var ends: RowTable

    /// The steps since they were last taken: the last one of each trip.
    private var steps: [TripID: TripStep] = [:]

    /// How many rows have changed since the last commit.
    var bufferedRows = 0

    /// Events of kinds that this program does not know.
    private(set) var unknownCount: UInt64 = 0

    /// The positions of the log up to which sources were given the events for all sources, for
    /// sources whose folds this run has stored.
    private var storedUpTo: [UInt32: UInt64] = [:]

    /// Prepares to ask stored views, and to go on from there; without a store, to begin anew in
    /// memory.
    init(
        log: ReadableLog,
        rules: TrackingRules,
        over store: ReadableViews?,
        from cursor: ViewCursor
    ) {
        self.rules = rules
        self.store = store
        self.cursor = cursor
        ambient = AmbientEvents(of: log, over: store)
        storedFolds = RowTable(.folds, over: store)
        rewinds = RowTable(.rewinds, over: store)
        ends = RowTable(.ends, over: store)
    }

    /// The log.
    var log: ReadableLog { ambient.order.log }

    /// Takes a step, to be booked later.
    ///
    /// The book is a function of the trips as they are, so of each trip only the last step counts:
    /// most begin and end between two commits.
    mutating func take(_ step: TripStep) {
        steps[step.trip] = step
    }

    /// Hands over the steps since the last call.
    mutating func takeSteps() -> [TripStep] {
        defer { steps.removeAll(keepingCapacity: true) }
        return steps.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Forgets the changes of rows, which were committed.
    mutating func noteCommitted() {
        storedFolds = storedFolds.emptied()
        rewinds = rewinds.emptied()
        ends = ends.emptied()
        ambient.rows = ambient.rows.emptied()
        keptFolds.keep(&folds)
    }

    /// Finds the events that some trackers were not given, if an earlier run was cut off.
    mutating func loadNews() throws {
        guard cursor.toldUpTo < cursor.size else { return }
        ambient.order.clockNews = Set(try ambient.order.clocks().sources.map { Array($0.utf8) })
        try ambient.loadNews(from: cursor.toldUpTo)
    }

    /// Stores the fold of a source that is folded again, as far as that has got.
    mutating func store(_ fold: SourceFold, of source: UInt32) {
        storedFolds.put(fold.encoded, key: ViewKey.source(source))
    }

    /// Ends the work on the fold that was worked on.
    func putAway(_ active: inout ActiveFold) {
        leave(active)
        active = ActiveFold(rules: rules)
    }

    private func leave(_ active: ActiveFold) {
        guard active.source != 0 else { return }
        active.place.fold.toldUpTo = cursor.size
    }

    /// Makes the fold of a source the one that is worked on.
    mutating func activate(_ source: UInt32, _ active: inout ActiveFold) throws {
        guard active.source != source else { return }
        leave(active)
        active.place = try place(of: source, at: cursor.size)
        active.source = source
        try tell(source, &active.place.fold)
    }

    /// Takes the fold of a source out of those in memory, or reads or makes it.
    mutating func fold(of source: UInt32, at position: UInt64) throws -> SourceFold {
        let place = folds.take(source) ?? keptFolds.take(source)
        return try (place ?? newPlace(of: source, at: position)).fold
    }

    /// Returns the place of a source's fold, which is now among those that change.
    private mutating func place(
        of source: UInt32,
        at position: UInt64
    ) throws -> FoldTable.Place {
        if let place = folds.place(of: source) { return place }
        let place = try keptFolds.take(source) ?? newPlace(of: source, at: position)
        folds.put(place, of: source)
        return place
    }

    /// Reads the fold of a source that is not in memory, or makes it.
    private mutating func newPlace(
        of source: UInt32,
        at position: UInt64
    ) throws -> FoldTable.Place {
        let stored = try storedFolds.value(forKey: ViewKey.source(source))
        keptFolds.count(source, storedBytes: stored?.count ?? 0)
        if let stored {
            let fold = try SourceFold(decoding: stored)
            guard (fold.last?.position ?? 0) < cursor.size else {
                throw StaleViews.damaged("a source is ahead of them")
            }
            return FoldTable.Place(fold)
        }
        let registered = try ambient.order.names.source(of: source, at: position)
        return FoldTable.Place(
            SourceFold(
                tracker: Tracker(source: registered.name, group: registered.group, rules: rules),
                clock: try ambient.order.clock(of: registered)
            )
        )
    }

    /// Returns whether an event comes too late for its source's tracker, and notes where the source
    /// is to be folded again from.
    mutating func isLate(
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws -> Bool {
        if let lateFrom = fold.lateFrom {
            if try ambient.order.precedes(mark, lateFrom) { fold.lateFrom = mark }
            return true
        }
        guard let last = fold.last, try ambient.order.precedes(mark, last) else { return false }
        fold.lateFrom = mark
        cursor.lateSources.insert(source)
        return true
    }

    /// Feeds one event to a tracker, and takes its steps.
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
            var context = TrackingContext(events: ambient.order.directory)
            try fold.tracker.evolve(fix: fix, stamp: stamp, in: &context)
            if context.steps.isEmpty { return }
            steps = context.steps
        } else {
            var stored = try ambient.order.storedEvent(entry, at: mark.position)
            stored.happenedAt = mark.occurredAt
            try feedAmbientEvents(before: mark, to: source, &fold)
            fold.last = mark
            if case .unknown = stored.event.body {
                unknownCount += 1
                return
            }
            ambient.order.directory.note(stored)
            var context = TrackingContext(events: ambient.order.directory)
            try fold.tracker.evolve(stored.event.body, stamp: stored.stamp, in: &context)
            steps = context.steps
        }
        try book(steps, mark, source: source, &fold)
    }

    /// Takes the steps of an event, and keeps the tracker as it is at the end of a trip.
    private mutating func book(
        _ steps: [TripStep],
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        var ended: [TripID] = []
        for step in steps {
            take(step)
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
        rewinds.put(point.encoded, key: key)
    }

    /// Shows open trips as they are now, or as time has ended them.
    mutating func storeFolds() throws {
        let instant = cursor.passingTo ?? cursor.passedTo
        for source in folds.sources {
            guard let place = folds.place(of: source) else { continue }
            try tell(source, &place.fold)
            let fold = place.fold
            if !ambient.news.isEmpty { storedUpTo[source] = cursor.size }
            var settled = try settled(source, fold)
            let endsAt = settled.tracker.endsAt
            if fold.endsAt != endsAt {
                if let end = fold.endsAt { ends.remove(key: ViewKey.end(at: end, of: source)) }
                if let endsAt { ends.put([], key: ViewKey.end(at: endsAt, of: source)) }
                place.fold.endsAt = endsAt
            }
            var context = TrackingContext(events: ambient.order.directory)
            try settled.tracker.advance(to: instant, in: &context)
            for step in settled.steps + context.steps { take(step) }
            if let trip = settled.tracker.openTrip { take(.updated(trip)) }
            let encoded = place.fold.encoded
            keptFolds.count(source, storedBytes: encoded.count)
            storedFolds.put(encoded, key: ViewKey.source(source))
        }
    }
}

// Nearly all entries are fixes that follow the one before them. Two questions are answered once for
// a whole run of them: whether it is late, and whether an event for all sources is due in it.
extension TrackerFolds {
    /// Gives a run of fixes to its source's tracker, or notes that it is late.
    mutating func take(
        _ run: FixRun,
        of batch: DecodedEntries,
        _ fold: inout SourceFold
    ) throws {
        let start = cursor.size
        let range = run.start..<run.end
        fold.arrival.take(
            batch.fixes.span.extracting(range),
            sequences: run.firstSequence.map { batch.sequences[$0..<$0 + range.count] }
        )
        guard fold.clock.isEmpty else {
            return try evolveOneByOne(run, of: batch, at: start, mayBeLate: true, &fold)
        }
        let first = batch.mark(of: run.start, in: run, at: start)
        // The fixes after a late one are late with it, and come after it.
        guard try !isLate(first, source: run.source, &fold) else { return }
        try evolve(run, of: batch, at: start, &fold)
    }

    /// Feeds a run of fixes, the first of which stands at `start`, to its source's tracker.
    mutating func evolve(
        _ run: FixRun,
        of batch: DecodedEntries,
        at start: UInt64,
        _ fold: inout SourceFold
    ) throws {
        guard fold.clock.isEmpty else {
            return try evolveOneByOne(run, of: batch, at: start, mayBeLate: false, &fold)
        }
        let fixes = batch.fixes.span
        var index = run.start
        while index < run.end {
            let position = start + UInt64(index - run.start)
            if fixes[index].fix.occurredAt >= fold.ambientDueAt {
                let mark = batch.mark(of: index, in: run, at: position)
                try feedAmbientEvents(before: mark, to: run.source, &fold)
            }
            let due = fold.ambientDueAt
            var end = run.end
            // The tracker is given this one in any case, because what is due now comes after it.
            while end > index + 1, fixes[end - 1].fix.occurredAt >= due { end -= 1 }
            index += fold.tracker.evolveOnFastPath(
                fixes.extracting(index..<end),
                firstPosition: position
            )
            guard index < end else { continue }
            let mark = batch.mark(
                of: index,
                in: run,
                at: start + UInt64(index - run.start)
            )
            try takeOnSlowPath(fixes[index], mark, source: run.source, &fold)
            index += 1
        }
        fold.last = batch.mark(
            of: run.end - 1,
            in: run,
            at: start + UInt64(run.end - 1 - run.start)
        )
    }

    /// Feeds a run of fixes by a clock that was wrong to its source's tracker.
    private mutating func evolveOneByOne(
        _ run: FixRun,
        of batch: DecodedEntries,
        at start: UInt64,
        mayBeLate: Bool,
        _ fold: inout SourceFold
    ) throws {
        for index in run.start..<run.end {
            var mark = batch.mark(of: index, in: run, at: start + UInt64(index - run.start))
            mark.occurredAt = fold.clock.time(of: mark.occurredAt)
            if mayBeLate, try isLate(mark, source: run.source, &fold) { continue }
            var recorded = batch.fixes[index]
            recorded.fix.occurredAt = mark.occurredAt
            try feedAmbientEvents(before: mark, to: run.source, &fold)
            try takeOnSlowPath(recorded, mark, source: run.source, &fold)
        }
    }

    /// Gives a fix to a tracker that may open or end a trip.
    private mutating func takeOnSlowPath(
        _ recorded: RecordedFix,
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let stamp = EventStamp(
            occurredAt: mark.occurredAt,
            recordedAt: recorded.recordedAt,
            position: mark.position
        )
        var context = TrackingContext(events: ambient.order.directory)
        fold.last = mark
        try fold.tracker.evolve(fix: recorded.fix, stamp: stamp, in: &context)
        if !context.steps.isEmpty { try book(context.steps, mark, source: source, &fold) }
    }
}

// Each tracker is told of events for all sources before its own next event.
extension TrackerFolds {
    /// Tells a source of the events for all sources that are news to it: if one comes too late, the
    /// source is to be folded again.
    mutating func tell(_ source: UInt32, _ fold: inout SourceFold) throws {
        let position = fold.toldUpTo ?? max(storedUpTo[source] ?? 0, cursor.toldUpTo)
        fold.toldUpTo = cursor.size
        guard let event = ambient.news.first(from: position, for: fold.tracker) else { return }
        try announce(event, to: source, &fold)
    }

    /// Tells all sources; of those whose folds have not been needed so far, only those that the
    /// news concerns are kept in memory.
    mutating func tellAll() throws {
        defer { cursor.toldUpTo = cursor.size }
        try tellClocks()
        guard !ambient.news.isEmpty else { return }
        for source in folds.sources {
            guard let place = folds.place(of: source) else { continue }
            try tell(source, &place.fold)
        }
        // In memory, no fold is anywhere else.
        guard let store else { return }
        var concerned: [UInt32: SourceFold] = [:]
        try store.scan(.folds) { key, value in
            let source = ViewKey.number(ofSource: key)
            guard folds[source] == nil else { return true }
            var fold = try keptFolds[source] ?? SourceFold(decoding: value)
            let lateFrom = fold.lateFrom
            try tell(source, &fold)
            let isLate = fold.lateFrom != lateFrom
            if try isLate || isDecided(source, fold) { concerned[source] = fold }
            return true
        }
        for (source, fold) in concerned {
            _ = keptFolds.take(source)
            folds[source] = fold
        }
    }

    /// Returns whether a decision changes the trip in progress of a source, or its end.
    private mutating func isDecided(_ source: UInt32, _ fold: SourceFold) throws -> Bool {
        guard ambient.news.bearsOnOpenTrips, fold.tracker.isOpen else { return false }
        let settled = try settled(source, fold)
        return !settled.steps.isEmpty || settled.tracker.openTrip != fold.tracker.openTrip
            || settled.tracker.endsAt != fold.endsAt
    }

    /// Lets a source know of a new or changed event; if it comes too late for it, the source is to
    /// be folded again.
    mutating func announce(
        _ event: AmbientEvent,
        to source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        fold.ambientDueAt = SourceFold.alwaysDue
        guard let last = fold.last, try ambient.order.precedes(event.mark, last) else { return }
        if let lateFrom = fold.lateFrom, try !ambient.order.precedes(event.mark, lateFrom) {
            return
        }
        fold.lateFrom = event.mark
        cursor.lateSources.insert(source)
    }

    /// Gives a tracker the events for all sources that come before an event of its own, which it
    /// is given next.
    mutating func feedAmbientEvents(
        before mark: EventMark,
        to source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        guard mark.occurredAt >= fold.ambientDueAt else { return }
        var last = fold.last
        fold.last = mark
        if last == nil, try ambient.takeOver(after: last, before: mark, &fold) { return }
        var events = try ambient.events(after: last)
        var given = 0
        while let event = try events.next(in: ambient.rows) {
            guard event.concerns(source, fold.tracker) else { continue }
            guard try ambient.order.precedes(event.mark, mark) else {
                fold.ambientDueAt = event.mark.occurredAt
                return
            }
            if ambient.isTakeOverDue(after: given),
                try ambient.takeOver(after: last, before: mark, &fold)
            {
                return
            }
            var steps: [TripStep] = []
            try ambient.give(event, to: &fold.tracker, steps: &steps)
            try book(steps, event.mark, source: source, &fold)
            last = event.mark
            given += 1
        }
        fold.ambientDueAt = SourceFold.neverDue
    }

    /// Returns a tracker after the driver's decisions that come after all events of its own source,
    /// so that they show before the source's next event; and after the places that were saved or
    /// removed before time alone ends its trip.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - fold: The tracker.
    ///   - instant: Decisions after it are left out; `nil` for none.
    /// - Returns: The tracker, and what the decisions mean for its trip.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func settled(
        _ source: UInt32,
        _ fold: SourceFold,
        until instant: Timestamp? = nil
    ) throws -> SettledTracker {
        var settled = SettledTracker(tracker: fold.tracker)
        guard fold.tracker.isOpen else { return settled }
        var events = try ambient.events(after: fold.last)
        while settled.tracker.isOpen, let event = try events.next(in: ambient.rows) {
            if let instant, event.mark.occurredAt > instant { break }
            switch event.kind {
            case .recoveryDecided: break
            case .placeSaved, .placeRemoved:
                let happenedAt = event.mark.occurredAt
                guard happenedAt <= cursor.passingTo ?? cursor.passedTo,
                    settled.tracker.endsAt.map({ happenedAt < $0 }) ?? false
                else { continue }
            default: continue
            }
            guard event.concerns(source, fold.tracker) else { continue }
            try ambient.give(event, to: &settled.tracker, steps: &settled.steps)
        }
        return settled
    }

    /// Tells the sources about decisions on their clocks.
    ///
    /// The sources are given again the events that they were given by the old clock meanwhile.
    mutating func tellClocks() throws {
        for bytes in ambient.order.clockNews.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let name = String(decoding: bytes, as: UTF8.self)
            guard let source = try log.number(ofSource: name),
                try folds[source] != nil || storedFolds.value(forKey: ViewKey.source(source)) != nil
            else { continue }
            var fold = try fold(of: source, at: cursor.size)
            let clock = try ambient.order.clock(
                of: RegisteredSource(name: name, group: fold.tracker.group)
            )
            if fold.clock != clock { try change(&fold, of: source, to: clock) }
            folds[source] = fold
        }
        ambient.order.clockNews = []
    }

    private mutating func change(
        _ fold: inout SourceFold,
        of source: UInt32,
        to clock: ClockShifts
    ) throws {
        let effects = [fold.clock.earliestEffect, clock.earliestEffect].compactMap(\.self)
        fold.clock = clock
        guard let earliest = effects.min(), let last = fold.last, earliest <= last.occurredAt,
            fold.lateFrom.map({ earliest < $0.occurredAt }) ?? true
        else { return }
        // Before all events of its instant, whichever position it has.
        fold.lateFrom = EventMark(startOf: earliest, position: 0)
        cursor.lateSources.insert(source)
    }
}

// A source with late events is folded again from the last trip that ended before them.
extension TrackerFolds {
    /// Returns the tracker of a source after the last trip that ended before an instant.
    func rewindPoint(of source: UInt32, before instant: Timestamp) throws -> RewindPoint? {
        try rewinds.lastRow(
            before: ViewKey.rewind(source, at: instant),
            prefix: ViewKey.source(source)
        )
        .map { try RewindPoint(decoding: $0.value) }
    }

    /// Deletes the points to come back to from an event on, and notes which trips had ended there.
    mutating func forget(
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
                rewinds.remove(key: row.key)
            }
            if rows.count < Self.rowsPerPart { return }
        }
    }

    /// Returns the tracker of a source as events up to an instant left it.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - registered: The source's registration.
    ///   - instant: Events after it are left out.
    ///   - head: The entries that the views know.
    /// - Returns: The tracker.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func tracker(
        of source: UInt32,
        _ registered: RegisteredSource,
        asOf instant: Timestamp,
        upTo head: LedgerHead
    ) throws -> Tracker {
        let point = try rewindPoint(of: source, before: instant.advanced(byMilliseconds: 1))
        var fold = SourceFold(
            tracker: point?.tracker
                ?? Tracker(source: registered.name, group: registered.group, rules: rules),
            clock: try ambient.order.clock(of: registered)
        )
        fold.last = point?.mark
        let marks = try ambient.order.marks(
            of: source,
            after: fold.last,
            upTo: head.size,
            until: instant
        )
        for mark in marks {
            try log.withEntry(at: mark.position) { entry in
                try evolve(entry, mark, source: source, &fold)
            }
        }
        return try settled(source, fold, until: instant).tracker
    }

    /// Returns the event with which a trip ended, or `nil` if it has not ended yet, or only by
    /// people's decisions.
    func endMark(of trip: Trip, source: UInt32) throws -> EventMark? {
        let prefix = ViewKey.source(source)
        var keys = KeyRange(prefix: prefix)
        keys.from = ViewKey.rewind(source, at: trip.startedAt.timestamp)
        while true {
            // Nearly always the first point is that of the trip.
            let rows = try rewinds.rows(in: keys, limit: Self.pointsPerPart)
            for row in rows {
                let point = try RewindPoint(decoding: row.value)
                if point.trips.contains(trip.id) { return point.mark }
            }
            guard rows.count == Self.pointsPerPart, let last = rows.last else { return nil }
            keys.from = last.key + [0]
        }
    }

    /// Returns what makes a trip, in event order: the events of its source after a point, those for
    /// all sources among them, and what the driver decided after them.
    mutating func events(
        for trip: Trip,
        of source: UInt32,
        after point: RewindPoint?,
        upTo end: UInt64
    ) throws -> ReplayedEvents {
        let ending = try endMark(of: trip, source: source)
        let own = try ambient.order.marks(
            of: source,
            after: point?.mark,
            upTo: end,
            until: ending?.occurredAt
        )
        var others: [ReplayedEvent] = []
        var events = try ambient.events(after: point?.mark)
        while let event = try events.next(in: ambient.rows) {
            if let ending, event.mark != ending, try !ambient.order.precedes(event.mark, ending) {
                break
            }
            guard event.concerns(source, named: trip.source, of: trip.group) else { continue }
            if ending == nil, event.kind != .recoveryDecided {
                guard let last = own.last, try ambient.order.precedes(event.mark, last) else {
                    continue
                }
            }
            others.append(ReplayedEvent(mark: event.mark, standing: event.standing))
        }
        others = try others.sorted { try ambient.order.precedes($0.mark, $1.mark) }
        return try ReplayedEvents(own, and: others) { try ambient.order.precedes($0, $1) }
    }
}
