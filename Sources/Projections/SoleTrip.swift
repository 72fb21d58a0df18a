import TripEvents
import TripTracking

/// The short way for trips about which nobody decided anything, which most steps are about: it
/// changes what the long way would change.
enum SoleTrip {
    /// Sets, or with `nil` withdraws, a trip as the tracker derives it.
    ///
    /// - Returns: what it changes; `nil` if the trip needs the long way, and nothing was changed.
    static func evolve<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        _ trip: Trip?,
        in rows: inout Rows
    ) throws -> [BookChange]? {
        // A decision whose trip has gone may be waiting for this one.
        guard try rows.value(forKey: BookKey.lostCount) == nil else { return nil }
        let key = BookKey.entry(id)
        var entry = BookEntry(id)
        if let stored = try rows.value(forKey: key) {
            entry = try BookEntry(id, decoding: stored)
        }
        guard entry.filed.isEmpty, entry.adopted.isEmpty else { return nil }
        let old = entry.measured
        guard old != trip else { return [] }
        entry.measured = trip
        if trip == nil {
            try rows.remove(key: key)
        } else {
            try rows.put(entry.encoded, key: key, orderKey: key)
        }
        try list(id, from: old, to: trip, in: &rows)
        return [.trip(TripChange(old: old.map(BookedTrip.init), new: trip.map(BookedTrip.init)))]
    }

    /// Keeps the lists of the trips that start in an hour.
    static func list<Rows: RowStore & ~Copyable>(
        _ id: TripID,
        from old: Trip?,
        to new: Trip?,
        in rows: inout Rows
    ) throws {
        let before = old.map { BookKey.hour(of: $0.startedAt.timestamp) }
        let after = new.map { BookKey.hour(of: $0.startedAt.timestamp) }
        guard before != after else { return }
        if let before {
            let key = BookKey.trips(hour: before)
            _ = try TripList.set(id, isListed: false, key: key, in: &rows)
        }
        if let after {
            let key = BookKey.trips(hour: after)
            _ = try TripList.set(id, isListed: true, key: key, in: &rows)
        }
    }
}
