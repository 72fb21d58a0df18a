import Geodesy
import TripEvents

/// A kept fix: where the trip was, when, and which event says so.
struct Waypoint: Hashable, Sendable {
    var coordinate: Coordinate
    var at: Timestamp

    /// Where the fix stands in the log.
    var position: UInt64
}
