import EventStore
import Projections
import TripEvents
import TripTracking

// Each tracker is given an event that concerns all sources just before its own next event in event
// order. So such an event means the same whenever it arrives and from whichever source.
extension ProjectionRunner {
    /// Takes an event for all sources; each gets it when its fold is next needed.
    mutating func announce(_ event: AmbientEvent) {
        ambientRows.put(event.key, event.encoded)
        news.add(event)
        ambientPoints.note(event)
    }

    /// Finds out what not all trackers were told of, if a run was cut off before they were.
    mutating func loadNews() throws {
        guard cursor.toldUpTo < cursor.size else { return }
        clockNews = Set(try clocks().sources.map { Array($0.utf8) })
        var missed: [AmbientEvent] = []
        var events = AmbientCursor(from: nil)
        while let event = try events.next(in: ambientRows) {
            if event.mark.position >= cursor.toldUpTo, event.split == nil { missed.append(event) }
        }
        for event in missed.sorted(by: { $0.mark.position < $1.mark.position }) {
            news.add(event)
        }
    }

    /// Tells a source of the events for all sources that are news to it: if one comes too late, the
    /// source is to be folded again.
    mutating func tell(_ source: UInt32, _ fold: inout SourceFold) throws {
        let position = fold.toldUpTo ?? max(storedUpTo[source] ?? 0, cursor.toldUpTo)
        fold.toldUpTo = cursor.size
        guard let event = news.first(from: position, for: fold.tracker) else { return }
        try announce(event, to: source, &fold)
    }

    /// Tells all sources; of those whose folds have not been needed so far, only those that it
    /// concerns are kept in memory.
    mutating func tellAll(in store: ReadableViews?) throws {
        defer { cursor.toldUpTo = cursor.size }
        try tellClocks()
        guard !news.isEmpty else { return }
        for source in folds.keys.sorted() {
            guard var fold = folds.removeValue(forKey: source) else { continue }
            try tell(source, &fold)
            folds[source] = fold
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
        for source in concerned.keys { _ = keptFolds.take(source) }
        folds.merge(concerned) { _, new in new }
    }

    /// Returns whether a decision changes the trip in progress of a source, or its end.
    private mutating func isDecided(_ source: UInt32, _ fold: SourceFold) throws -> Bool {
        guard news.bearsOnOpenTrips, fold.tracker.isOpen else { return false }
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
        guard let last = fold.last, try precedes(event.mark, last) else { return }
        if let lateFrom = fold.lateFrom, try !precedes(event.mark, lateFrom) { return }
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
        if last == nil, try takeOver(after: last, before: mark, &fold) { return }
        var events = try ambientEvents(after: last)
        var given = 0
        while let event = try events.next(in: ambientRows) {
            guard event.concerns(source, fold.tracker) else { continue }
            guard try precedes(event.mark, mark) else {
                fold.ambientDueAt = event.mark.occurredAt
                return
            }
            if given >= Self.mostGivenOneByOne || ambientPoints.knowsNames,
                try takeOver(after: last, before: mark, &fold)
            {
                return
            }
            var steps: [TripStep] = []
            try give(event, to: &fold.tracker, steps: &steps)
            try book(steps, event.mark, source: source, &fold)
            last = event.mark
            given += 1
        }
        fold.ambientDueAt = SourceFold.neverDue
    }

    /// Returns a tracker as the driver's decisions leave it that come after all its source's own
    /// events, so that they show before the source's next event; and as the places leave it that
    /// were saved or removed before time alone ends its trip.
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
        var events = try ambientEvents(after: fold.last)
        while settled.tracker.isOpen, let event = try events.next(in: ambientRows) {
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
            try give(event, to: &settled.tracker, steps: &settled.steps)
        }
        return settled
    }

    /// Prepares to read the events for all sources that come after an event in event order, or all
    /// of them.
    mutating func ambientEvents(after mark: EventMark?) throws -> AmbientCursor {
        guard let mark else { return AmbientCursor(from: nil) }
        let cursor = AmbientCursor(from: ViewKey.ambient(mark))
        // The digest is in the log: it is looked for only where nothing else tells the order.
        guard let first = try cursor.first(in: ambientRows),
            EventMark.precedes(mark, first.mark) == nil
        else { return cursor }
        return AmbientCursor(from: ViewKey.ambient(mark, try identity(at: mark.position)) + [0])
    }

    /// Returns the rules of a source after everything that was adopted.
    mutating func rules(of source: UInt32, after fold: SourceFold) throws -> TrackingRules {
        if try knowsWhatAllKnow(fold) {
            return try ambientPoint(after: fold.last, fold.tracker, before: nil).tracker.rules
        }
        var rules = fold.tracker.rules
        var events = try ambientEvents(after: fold.last)
        while let event = try events.next(in: ambientRows) {
            guard event.kind == .rulesAdopted,
                event.concerns(source, fold.tracker)
            else { continue }
            let stored = try storedEvent(at: event.mark.position)
            if case .rulesAdopted(let adopted) = stored.event.body {
                rules = rules.adopting(adopted, for: fold.tracker.source)
            }
        }
        return rules
    }

    /// Returns the rules that were adopted for any source, in event order.
    mutating func adoptions() throws -> [RulesAdoption] {
        var adoptions: [RulesAdoption] = []
        var events = AmbientCursor(from: nil)
        while let event = try events.next(in: ambientRows) {
            guard event.kind == .rulesAdopted else { continue }
            let stored = try storedEvent(at: event.mark.position)
            if case .rulesAdopted(let adopted) = stored.event.body {
                adoptions.append(
                    RulesAdoption(
                        from: event.mark.occurredAt,
                        group: event.group,
                        isByLedger: Ledger.adoptsOfItself(stored.event, adopted),
                        adopted: adopted,
                        position: event.mark.position
                    )
                )
            }
        }
        return adoptions
    }

    /// Returns what makes a trip, in event order: the events of its source after a point, those for
    /// all sources among them, and what the driver decided after them.
    mutating func events(
        for trip: Trip,
        of source: UInt32,
        after point: RewindPoint?,
        upTo end: UInt64
    ) throws -> [ReplayedEvent] {
        let ending = try endMark(of: trip, source: source)
        let own = try marks(
            of: source,
            after: point?.mark,
            upTo: end,
            until: ending?.occurredAt
        )
        var others: [ReplayedEvent] = []
        var events = try ambientEvents(after: point?.mark)
        while let event = try events.next(in: ambientRows) {
            if let ending, event.mark != ending, try !precedes(event.mark, ending) { break }
            guard event.concerns(source, named: trip.source, of: trip.group) else { continue }
            if ending == nil, event.kind != .recoveryDecided {
                guard let last = own.last, try precedes(event.mark, last) else { continue }
            }
            others.append(ReplayedEvent(mark: event.mark, standing: event.standing))
        }
        return try (own.map { ReplayedEvent(mark: $0) } + others)
            .sorted { try precedes($0.mark, $1.mark) }
    }

    mutating func give(
        _ event: AmbientEvent,
        to tracker: inout Tracker,
        steps: inout [TripStep]
    ) throws {
        var context = TrackingContext(events: directory)
        switch event.standing {
        case .split(let split): try tracker.take(split, in: &context)
        case .exclusion(let exclusion): tracker.take(exclusion)
        case nil:
            let stored = try storedEvent(at: event.mark.position)
            try tracker.evolve(stored.event.body, stamp: stored.stamp, in: &context)
        }
        steps += context.steps
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
    mutating func noteSplit(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) {
        guard let event = AmbientEvent(stored, mark, source: source), let split = event.split else {
            return
        }
        ambientRows.put(event.key, event.encoded)
        splits.put(ViewKey.split(split.trip, split.made), event.key)
    }

    /// Finds out where the splits that may have changed take effect, and which sources become late
    /// by that.
    mutating func settleSplits() throws {
        try views.writeSteps()
        var last: TripID?
        while true {
            let trips = try views.unsettledTrips(after: last)
            for trip in trips { try settleSplits(of: trip) }
            // Those that turned up meanwhile may come before it.
            guard !trips.isEmpty || last != nil else { return }
            last = trips.last
        }
    }

    private mutating func settleSplits(of id: TripID) throws {
        let trip = try views.splitTrip(id)
        let source = try source(of: trip)
        let group = try source.flatMap { try registered($0)?.group }
        let prefix = ViewKey.split(id)
        for row in try splits.rows(from: prefix, prefix: prefix) {
            let event = try split(at: row.value)
            guard let split = event.split else { continue }
            let stands = trip.stands(split.order, by: event.group, in: group)
            try settle(event, split, at: stands ? source : nil)
        }
        try views.noteSettled(id)
    }

    /// Returns the source whose tracker measures a trip that was split.
    ///
    /// For a part that a split makes, it is the source of the whole trip, whether the part is there
    /// yet or not: so splits of parts of parts need not wait for each other.
    private func source(of trip: SplitTrip) throws -> String? {
        if let source = trip.source { return source }
        guard let whole = trip.splitFrom,
            let key = try splits.value(ViewKey.split(whole, trip.id))
        else { return nil }
        return try split(at: key).split?.source
    }

    /// Returns what the log says of the source of a name.
    private func registered(_ name: String) throws -> RegisteredSource? {
        try log.number(ofSource: name).flatMap { try log.source(numbered: $0)?.registered }
    }

    private func split(at key: [UInt8]) throws -> AmbientEvent {
        guard let stored = try ambientRows.value(key) else {
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
        ambientPoints.note(event)
        ambientRows.put(event.key, event.encoded)
        // The splits of the part that it makes may concern another source, too.
        try views.noteUnsettled(split.made)
        for name in [split.source, source].compactMap(\.self) {
            guard let number = try log.number(ofSource: name) else { continue }
            var fold = try fold(of: number, at: cursor.size)
            try announce(event, to: number, &fold)
            folds[number] = fold
        }
    }
}
