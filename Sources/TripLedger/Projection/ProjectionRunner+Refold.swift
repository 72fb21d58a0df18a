import Projections
import TripEvents
import TripTracking

// A source with late events is folded again from the last trip that ended before them. That is
// committed in parts, so that years of trips are never in memory at once. Until the last part the
// source stays late: a run after one that was cut off begins again at the same event.
extension ProjectionRunner {
    /// Rows that are read at once.
    private static let rowsPerPart = 64

    /// Folds all sources again that have late events.
    mutating func refoldLateSources() throws {
        for source in cursor.lateSources.sorted() {
            var fold = try fold(of: source, at: cursor.size)
            try refold(source, &fold)
            folds[source] = fold
            refoldedSources.insert(source)
        }
        report.refoldedSources = refoldedSources.count
        cursor.lateSources = []
    }

    /// Folds a source again from the last trip that ended before its earliest late event, and
    /// withdraws the trips that are not there any more.
    private mutating func refold(_ source: UInt32, _ fold: inout SourceFold) throws {
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
        try foldInEventOrder(source, after: point?.mark, &fold)
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
        guard bufferedRows >= Self.rowsPerCommit else { return }
        storedFolds.put(ViewKey.source(source), fold.encoded)
        try commit()
    }
}
