public import Geodesy
public import TripEvents

/// The place where a source was seen last.
public struct LastPosition: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate

    /// When.
    public var at: Timestamp

    /// Creates a position.
    public init(coordinate: Coordinate, at instant: Timestamp) {
        self.coordinate = coordinate
        at = instant
    }
}

extension LastPosition {
    /// Where a trip ended; `nil` if it goes on, or no fix said where it was.
    public init?(of trip: Trip) {
        guard let end = trip.end, let endedAt = trip.endedAt else { return nil }
        self.init(coordinate: end, at: endedAt.timestamp)
    }
}

extension Tracker {
    /// Whether a trip is in progress that a fix has placed.
    public var isOnItsWay: Bool { stage.latest != nil }

    /// Where the source was seen last, as far as the tracker still knows: at the last kept fix of
    /// the trip in progress; between trips at the last usable fix since, or where STOP was pressed.
    public var lastPosition: LastPosition? {
        if let latest = stage.latest {
            return LastPosition(coordinate: latest.coordinate, at: latest.at)
        }
        guard let between = stage.between else { return nil }
        let seen = [between.window.entries.last, between.window.departure.last]
            .compactMap(\.self)
            .map { LastPosition(coordinate: $0.fix.coordinate, at: $0.fix.occurredAt) }
        let stopped = between.stop.map { LastPosition(coordinate: $0.coordinate, at: $0.at) }
        return (seen + [stopped].compactMap(\.self)).max { $0.at < $1.at }
    }
}
