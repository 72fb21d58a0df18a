/// A trip as it was when it last moved: what it is if it turns out to have ended there.
struct Rest: Hashable, Sendable {
    var trip: Trip

    /// The last fix that moved.
    var place: Waypoint
}
