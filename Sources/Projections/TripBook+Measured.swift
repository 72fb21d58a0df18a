public import TripEvents
public import TripTracking

extension TripBook {
    /// Returns a trip as its tracker derives it, before any decision about it; `nil` if no tracker
    /// does.
    ///
    /// - Throws: what the store throws, or `StateError` if a row is damaged.
    public func measuredTrip<Rows: RowStore & ~Copyable>(
        _ trip: TripID,
        in rows: borrowing Rows
    ) throws -> Trip? {
        guard let stored = try rows.value(forKey: BookKey.entry(trip)) else { return nil }
        return try BookEntry(trip, decoding: stored).measured
    }
}
