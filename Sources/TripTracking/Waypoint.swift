import Geodesy
import TripEvents

/// A kept fix: where the trip was, when, and which event says so.
struct Waypoint: Hashable, Sendable {
    var coordinate: Coordinate
    var at: Timestamp

    /// Where the fix stands in the log.
    var position: UInt64
}

extension Waypoint {
    /// Creates the place of a kept fix.
    init(_ kept: PendingFix) {
        self.init(
            coordinate: kept.fix.coordinate,
            at: kept.fix.occurredAt,
            position: kept.position
        )
    }
}
