import EventStore
import Projections
import TripEvents
import TripTracking

// Events that concern the trackers of all sources are given to each before its first own event that
// comes after them in event order, so that they mean the same whenever and from wherever they come.
extension ProjectionRunner {
    /// Reads what runs before this one have learnt.
    mutating func loadAmbientEvents() throws {
        let known = try ambientRows.rows(from: [0], prefix: [])
            .map { try AmbientEvent(decoding: $0.value) }
        ambient = try known.sorted { try precedes($0.mark, $1.mark) }
    }

    /// Takes an event for all sources: those that it comes too late for are folded again.
    mutating func announce(_ event: AmbientEvent) throws {
        let known = ambient
        let index = try known.firstIndex { try precedes(event.mark, $0.mark) }
        ambient.insert(event, at: index ?? known.count)
        ambientRows.put(event.key, event.encoded)
        try loadAllFolds(but: event.source)
        for (source, fold) in folds where event.concerns(source, named: fold.tracker.source) {
            folds[source]?.ambientDueAt = SourceFold.alwaysDue
            guard let last = fold.last, try precedes(event.mark, last) else { continue }
            if let lateFrom = fold.lateFrom, try !precedes(event.mark, lateFrom) { continue }
            folds[source]?.lateFrom = event.mark
            cursor.lateSources.insert(source)
        }
    }

    /// Gives a tracker the events for all sources that come before an event of its own.
    mutating func feedAmbientEvents(
        before mark: EventMark,
        to source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        for event in try pendingAmbientEvents(of: source, fold) {
            guard try precedes(event.mark, mark) else {
                fold.ambientDueAt = event.mark.occurredAt
                return
            }
            fold.lastAmbient = event.mark
            var steps: [TripStep] = []
            try give(event, to: &fold.tracker, steps: &steps)
            try book(steps, event.mark, source: source, fold)
        }
        fold.ambientDueAt = SourceFold.neverDue
    }

    /// Returns a tracker as the driver's decisions leave it that come after all its source's own
    /// events: nobody has to wait for the next one to see what was decided.
    mutating func settled(_ source: UInt32, _ fold: SourceFold) throws -> SettledTracker {
        var settled = SettledTracker(tracker: fold.tracker)
        for event in try pendingAmbientEvents(of: source, fold)
        where event.kind == .recoveryDecided {
            try give(event, to: &settled.tracker, steps: &settled.steps)
        }
        return settled
    }

    /// Returns the events for all sources that a tracker was not given yet, in event order.
    func pendingAmbientEvents(of source: UInt32, _ fold: SourceFold) throws -> [AmbientEvent] {
        let concerned = ambient.filter { $0.concerns(source, named: fold.tracker.source) }
        guard let last = fold.lastAmbient,
            let index = concerned.firstIndex(where: { $0.mark == last })
        else { return concerned }
        return Array(concerned[(index + 1)...])
    }

    /// Returns the rules of a source after everything that was adopted.
    mutating func rules(of source: UInt32, after fold: SourceFold) throws -> TrackingRules {
        var rules = fold.tracker.rules
        for event in try pendingAmbientEvents(of: source, fold) where event.kind == .rulesAdopted {
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
        for event in ambient where event.kind == .rulesAdopted {
            let stored = try storedEvent(at: event.mark.position)
            if case .rulesAdopted(let adopted) = stored.event.body {
                adoptions.append(RulesAdoption(from: event.mark.occurredAt, adopted: adopted))
            }
        }
        return adoptions
    }

    /// Returns what makes a trip, in event order: the events of its source after a point, those for
    /// all sources among them, and what the driver decided after them.
    mutating func marks(
        for trip: Trip,
        of source: UInt32,
        after point: RewindPoint?,
        upTo end: UInt64
    ) throws -> [EventMark] {
        let ending = try endMark(of: trip, source: source)
        let own = try marks(
            of: source,
            after: point?.mark,
            upTo: end,
            until: ending?.occurredAt
        )
        var fold = SourceFold(tracker: Tracker(source: trip.source, rules: rules))
        fold.lastAmbient = point?.lastAmbient
        let others = try pendingAmbientEvents(of: source, fold)
            .filter { event in
                if event.kind == .recoveryDecided, ending == nil { return true }
                return try own.last.map { try precedes(event.mark, $0) } ?? false
            }
            .map(\.mark)
        return try (own + others).sorted { try precedes($0, $1) }
    }

    private mutating func give(
        _ event: AmbientEvent,
        to tracker: inout Tracker,
        steps: inout [TripStep]
    ) throws {
        let stored = try storedEvent(at: event.mark.position)
        try tracker.evolve(stored.event.body, stamp: stored.stamp, events: directory, steps: &steps)
    }
}
