import EventStore
import Projections
import TripEvents
import TripTracking

// Events that concern the trackers of all sources are given to each before its first own event that
// comes after them in event order, so that they mean the same whenever and from wherever they come.
extension ProjectionRunner {
    /// Reads what runs before this one have learnt.
    mutating func loadAmbientEvents() throws {
        let all = KeyRange(from: [0], upTo: Array(repeating: .max, count: 17))
        let known = try ambientRows.rows(in: all, limit: .max)
            .map { try AmbientEvent(decoding: $0.value) }
        ambient = try known.sorted { try precedes($0.mark, $1.mark) }
        splitTrips = Set(ambient.compactMap { $0.split?.trip })
    }

    /// Takes an event for all sources: those that it comes too late for are folded again.
    mutating func announce(_ event: AmbientEvent) throws {
        try insert(event)
        newAmbientEvents.append(event)
        for (source, fold) in folds where event.concerns(source, named: fold.tracker.source) {
            var fold = fold
            try announce(event, to: source, &fold)
            folds[source] = fold
        }
    }

    /// Lets a source know of what is new, and returns whether any of it concerns its trip in
    /// progress or comes too late for it.
    mutating func announceNewEvents(to source: UInt32, _ fold: inout SourceFold) throws -> Bool {
        let lateFrom = fold.lateFrom
        var isDecided = false
        for event in newAmbientEvents where event.concerns(source, named: fold.tracker.source) {
            try announce(event, to: source, &fold)
            isDecided = isDecided || event.kind == .recoveryDecided
        }
        if fold.lateFrom != lateFrom { return true }
        guard isDecided else { return false }
        let settled = try settled(source, fold)
        return !settled.steps.isEmpty || settled.tracker.openTrip != fold.tracker.openTrip
    }

    /// Lets the sources know of what is new whose folds have not been needed so far; only those
    /// that it concerns are kept in memory.
    mutating func announceNewEventsToStoredFolds(of store: ViewStore?) throws {
        defer { newAmbientEvents = [] }
        // In memory, no fold is anywhere else.
        guard let store, !newAmbientEvents.isEmpty else { return }
        var concerned: [UInt32: SourceFold] = [:]
        try store.scan(.folds) { key, value in
            let source = ViewKey.number(ofSource: key)
            guard folds[source] == nil else { return true }
            var fold = try SourceFold(decoding: value)
            if try announceNewEvents(to: source, &fold) { concerned[source] = fold }
            return true
        }
        folds.merge(concerned) { _, new in new }
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

    /// Puts an event for all sources in its place.
    mutating func insert(_ event: AmbientEvent) throws {
        let known = ambient
        let index = try known.firstIndex { try precedes(event.mark, $0.mark) }
        ambient.insert(event, at: index ?? known.count)
        ambientRows.put(event.key, event.encoded)
    }

    /// Gives a tracker the events for all sources that come before an event of its own.
    mutating func feedAmbientEvents(
        before mark: EventMark,
        to source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        guard mark.occurredAt >= fold.ambientDueAt else { return }
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
    /// events, so that they show before the source's next event.
    mutating func settled(_ source: UInt32, _ fold: SourceFold) throws -> SettledTracker {
        var settled = SettledTracker(tracker: fold.tracker)
        for event in try pendingAmbientEvents(of: source, fold)
        where event.kind == .recoveryDecided {
            try give(event, to: &settled.tracker, steps: &settled.steps)
        }
        return settled
    }

    /// Returns the events for all sources that a tracker was not given yet, in event order.
    mutating func pendingAmbientEvents(
        of source: UInt32,
        _ fold: SourceFold
    ) throws -> [AmbientEvent] {
        let concerned = ambient.filter { $0.concerns(source, named: fold.tracker.source) }
        guard let last = fold.lastAmbient else { return concerned }
        let index = try concerned.firstIndex { try precedes(last, $0.mark) }
        return Array(concerned[(index ?? concerned.count)...])
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
        var fold = SourceFold(tracker: Tracker(source: trip.source, rules: rules))
        fold.lastAmbient = point?.lastAmbient
        let others = try pendingAmbientEvents(of: source, fold)
            .filter { event in
                if let ending {
                    return try event.mark == ending || precedes(event.mark, ending)
                }
                if event.kind == .recoveryDecided { return true }
                return try own.last.map { try precedes(event.mark, $0) } ?? false
            }
            .map { ReplayedEvent(mark: $0.mark, split: $0.standingSplit) }
        return try (own.map { ReplayedEvent(mark: $0) } + others)
            .sorted { try precedes($0.mark, $1.mark) }
    }

    private mutating func give(
        _ event: AmbientEvent,
        to tracker: inout Tracker,
        steps: inout [TripStep]
    ) throws {
        if let split = event.standingSplit {
            var journal = SilentJournal()
            try tracker.take(split, events: directory, steps: &steps, journal: &journal)
            return
        }
        let stored = try storedEvent(at: event.mark.position)
        try tracker.evolve(stored.event.body, stamp: stored.stamp, events: directory, steps: &steps)
    }
}

// Whether a split stands is for the book to say, and so is who measured its trip; both can change
// with every decision and every trip. Whenever they have, the source is folded again from there.
//
// That comes to an end: trackers are causal, and whether the trip of a split is there follows from
// what its source was given up to the split and from the trips that earlier splits have made. So,
// taken in order of their instants, each split is settled for good once those before it are.
extension ProjectionRunner {
    /// Takes note of a decision that may make or undo a split.
    mutating func noteSplit(_ stored: StoredEvent, _ mark: EventMark, source: UInt32) throws {
        if case .tripRestored(let restored) = stored.event.body {
            if splitTrips.contains(restored.trip) { areSplitsDue = true }
        }
        guard case .tripSplit(let split) = stored.event.body,
            let event = AmbientEvent(stored, mark, source: source)
        else {
            return
        }
        splitTrips.insert(split.trip)
        try insert(event)
        areSplitsDue = true
    }

    /// Takes note of a trip that comes or goes.
    mutating func noteSplit(of step: TripStep) {
        switch step {
        case .opened(let trip):
            if splitTrips.contains(trip.id) { areSplitsDue = true }
        case .withdrawn(let trip):
            if splitTrips.contains(trip) { areSplitsDue = true }
        case .updated, .ended:
            break
        }
    }

    /// Finds out where each split takes effect, and which sources that makes late.
    mutating func settleSplits() throws {
        guard areSplitsDue else { return }
        areSplitsDue = false
        try views.writeSteps()
        for index in ambient.indices {
            guard var split = ambient[index].split else { continue }
            let old = split.target
            split.target = try target(of: split)
            guard split.target != old else { continue }
            ambient[index].split = split
            let event = ambient[index]
            ambientRows.put(event.key, event.encoded)
            for name in Set([old, split.target].compactMap { $0?.source }) {
                guard let source = try log.number(ofSource: name) else { continue }
                var fold = try fold(of: source, at: cursor.size)
                try announce(event, to: source, &fold)
                folds[source] = fold
            }
        }
    }

    /// Returns where a split takes effect.
    ///
    /// The trip that a person split may have been split again since, at an earlier instant. What
    /// was the rest of the trip then is a trip of its own now, and the split concerns that one.
    private func target(of split: AmbientSplit) throws -> AmbientSplit.Target? {
        let book = TripBook()
        let own = try book.standingSplits(of: split.trip, in: views.bookRows)
            .first { $0.madeTrip == split.made }
        guard let own, let trip = try book.measuredTrip(split.trip, in: views.bookRows) else {
            return nil
        }
        var target = AmbientSplit.Target(source: trip.source, trips: [split.trip])
        var open = [split.trip]
        while let next = open.popLast() {
            for later in try book.standingSplits(of: next, in: views.bookRows) where own < later {
                guard let part = later.madeTrip, !target.trips.contains(part) else { continue }
                target.trips.append(part)
                open.append(part)
            }
        }
        return target
    }
}
