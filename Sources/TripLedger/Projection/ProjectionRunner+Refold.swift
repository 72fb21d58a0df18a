import EventStore
import TripEvents
import TripTracking

extension ProjectionRunner {
    /// Folds a source again from the last trip that ended before its earliest late event, and
    /// withdraws the trips that are not there any more.
    mutating func refold(_ source: UInt32, _ fold: inout SourceFold) throws {
        guard let lateFrom = fold.lateFrom else { return }
        var gone = Set<TripID>()
        if let trip = fold.tracker.openTrip { gone.insert(trip.id) }
        let prefix = ViewKey.source(source)
        let earliest = ViewKey.rewind(source, at: lateFrom.occurredAt)
        let point = try rewindPoint(of: source, before: lateFrom.occurredAt)
        for row in try rewinds.rows(from: earliest, prefix: prefix) {
            gone.formUnion(try RewindPoint(decoding: row.value).trips)
            rewinds.delete(row.key)
        }
        let name = fold.tracker.source
        fold = SourceFold(tracker: point?.tracker ?? Tracker(source: name, rules: rules))
        fold.last = point?.mark
        fold.lastAmbient = point?.lastAmbient
        try log.read(try positions(of: source, after: point?.mark)) { entry, position in
            try evolve(entry, EventMark(entry, at: position), source: source, &fold)
            return true
        }
        if let trip = fold.tracker.openTrip { gone.remove(trip.id) }
        for row in try rewinds.rows(from: earliest, prefix: prefix) {
            gone.subtract(try RewindPoint(decoding: row.value).trips)
        }
        for trip in gone.sorted() {
            views.evolve(.withdrawn(trip))
            noteSplit(of: .withdrawn(trip))
        }
    }

    /// Returns the tracker of a source after the last trip that ended before an instant.
    func rewindPoint(of source: UInt32, before instant: Timestamp) throws -> RewindPoint? {
        try rewinds.lastRow(
            before: ViewKey.rewind(source, at: instant),
            prefix: ViewKey.source(source)
        )
        .map { try RewindPoint(decoding: $0.value) }
    }

    /// Returns the event with which a trip ended, or `nil` if it has not ended yet, or only as far
    /// as people decided.
    func endMark(of trip: Trip, source: UInt32) throws -> EventMark? {
        let earliest = ViewKey.rewind(source, at: trip.startedAt.timestamp)
        return try rewinds.rows(from: earliest, prefix: ViewKey.source(source)).lazy
            .map { try RewindPoint(decoding: $0.value) }
            .first { $0.trips.contains(trip.id) }?
            .mark
    }

    /// Returns the positions of the events of a source after a mark, in event order.
    private mutating func positions(
        of source: UInt32,
        after mark: EventMark?
    ) throws -> [UInt64] {
        var places: [EventPlace] = []
        try forEachMark(of: source, after: mark, upTo: cursor.size) { mark in
            places.append(EventPlace(occurredAt: mark.occurredAt, position: mark.position))
        }
        places.sort()
        var positions: [UInt64] = []
        positions.reserveCapacity(places.count)
        var start = 0
        while start < places.count {
            var end = start + 1
            while end < places.count, places[end].occurredAt == places[start].occurredAt {
                end += 1
            }
            positions += try inEventOrder(places[start..<end])
            start = end
        }
        return positions
    }

    /// Returns the positions of events that happened at the same instant, in event order.
    private mutating func inEventOrder(_ places: ArraySlice<EventPlace>) throws -> [UInt64] {
        var positions = places.map(\.position)
        guard positions.count > 1 else { return positions }
        var marks: [EventMark] = []
        try log.read(positions) { entry, position in
            marks.append(EventMark(entry, at: position))
            return true
        }
        positions = try marks.sorted { try precedes($0, $1) }.map(\.position)
        return positions
    }

    /// Returns the events of a source after a mark, in event order.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - mark: The event to begin after; `nil` for the source's first event.
    ///   - end: Events at this position and after it are left out.
    ///   - latest: What happened after this instant is left out.
    /// - Returns: Where the events stand.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    mutating func marks(
        of source: UInt32,
        after mark: EventMark?,
        upTo end: UInt64,
        until latest: Timestamp? = nil
    ) throws -> [EventMark] {
        var marks: [EventMark] = []
        try forEachMark(of: source, after: mark, upTo: end) { candidate in
            if let latest, candidate.occurredAt > latest { return }
            marks.append(candidate)
        }
        return try marks.sorted { try precedes($0, $1) }
    }

    /// Hands over where the events of a source stand that come after a mark, in no order.
    private mutating func forEachMark(
        of source: UInt32,
        after mark: EventMark?,
        upTo end: UInt64,
        _ body: (EventMark) -> Void
    ) throws {
        try log.scan(
            source: source,
            from: mark?.occurredAt.milliseconds ?? .min,
            upTo: end
        ) { entry, position in
            let candidate = EventMark(entry, at: position)
            if let mark {
                guard candidate != mark, try precedes(mark, candidate) else {
                    return
                }
            }
            body(candidate)
        }
    }
}
