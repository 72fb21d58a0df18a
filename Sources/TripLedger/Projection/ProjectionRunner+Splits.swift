import EventStore
import Projections
import TripEvents
import TripTracking

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
        try views.bookSteps()
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
