public import TripEvents

extension TripBook {
    /// Returns the decisions that split a trip and were not undone by restoring it, in event order.
    ///
    /// Splitting measures both parts again, which is the tracker's work: it is given a standing
    /// split at its `split_at`, and none that was undone.
    ///
    /// - Throws: what the store throws, or `StateError` if a row is damaged.
    public func standingSplits<Rows: RowStore & ~Copyable>(
        of trip: TripID,
        in rows: borrowing Rows
    ) throws -> [Decision] {
        guard let stored = try rows.value(forKey: BookKey.entry(trip)) else { return [] }
        let decisions = try BookEntry(trip, decoding: stored).filed.map(\.decision)
            .filter { $0.namedTrips.contains(trip) }
        let restored = decisions.last { $0.event.body.kind == .tripRestored }
        return decisions.filter { decision in
            guard decision.event.body.kind == .tripSplit else { return false }
            return restored.map { $0 < decision } ?? true
        }
    }
}
