import Geodesy
import TripEvents

/// The place that a trip has not got away from since a certain instant.
struct Stay: Hashable, Sendable {
    /// What the rounding of distances cannot add up to before the place is measured again.
    private static let margin = Distance(millimeters: 1_000)

    /// The middle of the place, once a fix has said where it is.
    var center: Coordinate?

    /// Since when.
    var since: Timestamp

    /// How far the trip gets, gaps included, before it can have left the place: a shorter way needs
    /// no measuring.
    var safeUntil = Distance.zero

    /// Takes a fix that moves the anchor, and returns whether it is farther than `radius` from the
    /// middle and so begins another stay.
    ///
    /// With it the trip has `travelled` so far, gaps included.
    @inline(__always)
    mutating func isLeft(
        by fix: Fix,
        travelled: Distance,
        radius: Distance,
        ruler: inout Ruler
    ) -> Bool {
        travelled >= safeUntil
            && measure(fix, travelled: travelled, radius: radius, ruler: &ruler)
    }

    @inline(never)
    private mutating func measure(
        _ fix: Fix,
        travelled: Distance,
        radius: Distance,
        ruler: inout Ruler
    ) -> Bool {
        let way = center.map { ruler.metric.distance(from: $0, to: fix.coordinate) }
        if let way, way <= radius {
            safeUntil = travelled + radius - way - Self.margin
            return false
        }
        center = fix.coordinate
        since = fix.occurredAt
        safeUntil = travelled + radius - Self.margin
        return true
    }
}
