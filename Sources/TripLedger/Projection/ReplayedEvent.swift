import TripTracking

/// An event that a trip is computed again from.
struct ReplayedEvent {
    /// Where it stands in event order.
    let mark: EventMark

    /// What it means for the tracker if it is a split.
    var split: StandingSplit?
}
