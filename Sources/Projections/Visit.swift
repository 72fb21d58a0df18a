public import TripEvents

/// A stay of one source at a place.
public struct Visit: Hashable, Sendable {
    /// The place, as it was saved when the visit began.
    public let place: SavedPlace

    /// When the first usable fix was taken within the place's radius.
    public let enteredAt: EventTime

    /// When the last usable fix was taken within the radius.
    public internal(set) var lastInsideAt: EventTime

    /// When the first usable fix was taken beyond the radius and the hysteresis, or when the place
    /// was removed; `nil` while the source is there.
    public internal(set) var leftAt: EventTime?

    /// Returns the visit as it was over at a time.
    func ended(at time: EventTime) -> Visit {
        var visit = self
        visit.leftAt = time
        return visit
    }
}
