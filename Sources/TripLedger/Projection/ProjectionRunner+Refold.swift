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
        try foldInEventOrder(source, after: point?.mark, &fold)
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
    mutating func forEachMark(
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
