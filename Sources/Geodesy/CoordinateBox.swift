import Glibc

/// A span of latitudes and longitudes around a point: a test that costs a few comparisons, before
/// or in place of measuring a distance.
public struct CoordinateBox: Hashable, Sendable {
    /// The shortest degree of latitude, at the equator, in metres.
    private static let shortestLatitudeDegree = 110_574.0

    /// The shortest degree of longitude at latitude φ, divided by cos φ, in metres.
    private static let shortestLongitudeDegree = 111_319.0

    /// The longest degree of either, in metres.
    private static let longestDegree = 111_695.0

    /// What the rounding of distances and of this box can come to, in degrees: a centimetre.
    private static let roundingDegrees = 1e-7

    /// Where a box begins to reach around the pole, in degrees.
    private static let polarDegrees = 89.0

    private let latitude: Double
    private let longitude: Double
    private let latitudeReach: Double
    private let longitudeReach: Double

    /// Creates a box that holds every position within a distance of a point, and some beyond.
    public init(around center: Coordinate, reaching distance: Distance) {
        latitude = center.latitude
        longitude = center.longitude
        let meters = distance.meters
        latitudeReach = meters / Self.shortestLatitudeDegree * 1.000_1 + Self.roundingDegrees
        // A way of that length gets no nearer to a pole than this.
        let highest = center.latitude.magnitude + latitudeReach
        if highest < Self.polarDegrees {
            let degree = Self.shortestLongitudeDegree * cos(highest * .pi / 180)
            longitudeReach = meters / degree * 1.000_1 + Self.roundingDegrees
        } else {
            longitudeReach = 180
        }
    }

    /// Creates a box every position in which lies within a distance of a point; below four
    /// centimetres it holds none.
    public init(around center: Coordinate, within distance: Distance) {
        latitude = center.latitude
        longitude = center.longitude
        // One way there is along a parallel, then along a meridian: half the distance for each.
        latitudeReach = distance.meters / 2 / Self.longestDegree * 0.999_9 - Self.roundingDegrees
        longitudeReach = latitudeReach
    }

    /// Returns whether a position lies in the box.
    @inline(__always)
    public func contains(_ position: Coordinate) -> Bool {
        guard (position.latitude - latitude).magnitude <= latitudeReach else { return false }
        let apart = (position.longitude - longitude).magnitude
        return apart <= longitudeReach || apart >= 360 - longitudeReach
    }
}
