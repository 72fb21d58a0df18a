import Geodesy
import TripEvents

/// The place that a trip has not got away from since a certain instant.
struct Stay: Hashable, Sendable {
    /// The middle of the place, once a fix has said where it is.
    var center: Coordinate?

    /// Since when.
    var since: Timestamp

    /// Takes an accepted fix; one farther than `radius` from the middle begins another stay.
    ///
    /// - Returns: whether it did.
    @inline(__always)
    mutating func isLeft(by fix: Fix, radius: Distance, ruler: inout Ruler) -> Bool {
        if let center, ruler.metric.distance(from: center, to: fix.coordinate) <= radius {
            return false
        }
        center = fix.coordinate
        since = fix.occurredAt
        return true
    }
}
