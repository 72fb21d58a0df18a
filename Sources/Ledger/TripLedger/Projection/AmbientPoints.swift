import TripEvents
import TripTracking

/// The rules and places that trackers between trips know from the events for all sources, at some
/// points of event order.
///
/// To such a tracker these events mean nothing but rules and places, the same for all sources. So a
/// tracker takes them over from the latest point before its own next event, and only the events
/// from there on are read. A tracker is given all of them one by one if some are for its source or
/// its group only, or if its own events about rules and places have another time for itself than
/// for all others, because its clock was wrong.
struct AmbientPoints {
    /// How many points are kept at most: a point has up to 250 places.
    private static let most = 256

    /// The points to come back to, in event order.
    private var kept: [AmbientPoint] = []

    /// The point that was reached last.
    private var reached: AmbientPoint?

    /// The number of events after which a point is kept.
    private(set) var eventsPerPoint = 64

    /// The sources that events concern which are for one source only, by the bytes of their names;
    /// `nil` if not known yet.
    private var names: Set<[UInt8]>?

    /// The groups of sources that events concern which are for one group only, likewise.
    private var groups: Set<[UInt8]> = []

    /// Whether it is known which sources are concerned by events for one source only.
    var knowsNames: Bool { names != nil }

    /// Takes note of a new or changed event: points after it are not right any more.
    mutating func note(_ event: AmbientEvent) {
        if let name = event.onlySource { names?.insert(Array(name.utf8)) }
        if let group = event.group { groups.insert(Array(group.utf8)) }
        guard event.isForAll else { return }
        while let last = kept.last, event.precedes(last.event) { kept.removeLast() }
        if let last = reached?.event, event.precedes(last) { reached = nil }
    }

    /// Returns whether the source of a tracker is concerned by events for one source or group only.
    mutating func names(_ tracker: Tracker, in rows: ViewBuffer) throws -> Bool {
        let names = try names(in: rows)
        return names.contains(Array(tracker.source.utf8))
            || tracker.group.map { groups.contains(Array($0.utf8)) } ?? false
    }

    private mutating func names(in rows: ViewBuffer) throws -> Set<[UInt8]> {
        if let names { return names }
        var names: Set<[UInt8]> = []
        var events = AmbientCursor(from: nil)
        while let event = try events.next(in: rows) {
            if let name = event.onlySource { names.insert(Array(name.utf8)) }
            if let group = event.group { groups.insert(Array(group.utf8)) }
        }
        self.names = names
        return names
    }

    /// Returns the latest point that comes before a place in event order.
    ///
    /// - Parameter precedes: Whether an event comes before that place.
    /// - Returns: The point, or `nil` if none of those that are kept comes before it.
    /// - Throws: The errors of `precedes`.
    func latest(where precedes: (EventMark) throws -> Bool) rethrows -> AmbientPoint? {
        var range = 0..<kept.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if try precedes(kept[middle].event.mark) {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        let earlier = range.lowerBound > 0 ? kept[range.lowerBound - 1] : nil
        guard let reached, try precedes(reached.event.mark) else { return earlier }
        if let earlier, !earlier.event.precedes(reached.event) { return earlier }
        return reached
    }

    /// Keeps the point that was reached, if it is far enough from the last one that was kept.
    mutating func reach(_ point: AmbientPoint) {
        reached = point
        guard point.distance >= eventsPerPoint else { return }
        reached?.distance = 0
        // Those of a stretch that is read again are there.
        let index = kept.firstIndex { !$0.event.precedes(point.event) } ?? kept.count
        if index < kept.count, kept[index].event == point.event { return }
        kept.insert(point, at: index)
        guard kept.count > Self.most else { return }
        kept = stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        eventsPerPoint *= 2
    }
}

/// The rules and places that trackers between trips know after an event for all sources.
struct AmbientPoint {
    /// The event, which may be any that concerns all sources.
    var event: AmbientEvent

    /// A tracker that knows the rules and the places.
    var tracker: Tracker

    /// The number of events between it and the last point that is kept.
    var distance = 0
}

/// The rules and the places that trackers know at a place in event order.
struct AmbientKnowledge {
    /// A tracker that knows them.
    var tracker: Tracker

    /// The last event that they come from; `nil` if there was none since then.
    var last: AmbientEvent?

    /// The first event after that place; `nil` if there is none.
    var next: AmbientEvent?
}

extension ProjectionRunner {
    /// The events for all sources that a tracker is given before it is found out whether it may
    /// take over what they mean: that takes reading all of them once.
    static let mostGivenOneByOne = 64

    /// Lets a tracker take over what the events for all sources mean that come before an event of
    /// its own.
    ///
    /// - Parameters:
    ///   - last: The event after which the tracker was given none of them.
    ///   - mark: The tracker's own event.
    ///   - fold: The tracker.
    /// - Returns: Whether that is done; else the tracker is to be given each of them.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func takeOver(
        after last: EventMark?,
        before mark: EventMark,
        _ fold: inout SourceFold
    ) throws -> Bool {
        guard !fold.tracker.isOpen, try knowsWhatAllKnow(fold) else { return false }
        let known = try ambientPoint(after: last, fold.tracker, before: mark)
        if let instant = known.last?.mark.occurredAt {
            fold.tracker.takeOver(rulesAndPlacesOf: known.tracker, asOf: instant)
        }
        fold.ambientDueAt = known.next?.mark.occurredAt ?? SourceFold.neverDue
        return true
    }

    /// Returns whether a tracker between trips knows what those of most sources know.
    mutating func knowsWhatAllKnow(_ fold: SourceFold) throws -> Bool {
        guard fold.clock.isEmpty else { return false }
        return try !ambientPoints.names(fold.tracker, in: ambientRows)
    }

    /// Returns what trackers know before an event, given a tracker after an earlier event.
    ///
    /// - Parameters:
    ///   - last: The event that `tracker` was given last; `nil` for none.
    ///   - tracker: A tracker that knows what those of most sources know.
    ///   - mark: The event before which the knowledge is asked for; `nil` for the end.
    /// - Returns: The rules and places.
    /// - Throws: `StaleViews`, `EventLogError` or `LMDBError`.
    mutating func ambientPoint(
        after last: EventMark?,
        _ tracker: Tracker,
        before mark: EventMark?
    ) throws -> AmbientKnowledge {
        var known = AmbientKnowledge(tracker: tracker.withoutTrips())
        var events: AmbientCursor
        var distance = 0
        if let point = try latestPoint(before: mark), try isAfter(last, point.event.mark) {
            known = AmbientKnowledge(tracker: point.tracker, last: point.event)
            events = AmbientCursor(from: point.event.key + [0])
            distance = point.distance
        } else {
            events = try ambientEvents(after: last)
        }
        while let event = try events.next(in: ambientRows) {
            guard event.isForAll else { continue }
            if let mark, try !precedes(event.mark, mark) {
                known.next = event
                break
            }
            known.last = event
            distance += 1
            // It means nothing between trips.
            if event.kind != .recoveryDecided {
                var steps: [TripStep] = []
                try give(event, to: &known.tracker, steps: &steps)
            }
            if distance == ambientPoints.eventsPerPoint {
                ambientPoints.reach(
                    AmbientPoint(event: event, tracker: known.tracker, distance: distance)
                )
                distance = 0
            }
        }
        if let last = known.last {
            let point = AmbientPoint(event: last, tracker: known.tracker, distance: distance)
            ambientPoints.reach(point)
        }
        return known
    }

    private mutating func latestPoint(before mark: EventMark?) throws -> AmbientPoint? {
        guard let mark else { return ambientPoints.latest { _ in true } }
        let points = ambientPoints
        return try points.latest { try precedes($0, mark) }
    }

    private mutating func isAfter(_ last: EventMark?, _ mark: EventMark) throws -> Bool {
        guard let last else { return true }
        return try precedes(last, mark)
    }
}
