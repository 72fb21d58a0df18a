import Glibc

/// A position on the WGS-84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
    /// Geodetic latitude in degrees, −90 … 90, north positive.
    public let latitude: Double

    /// Longitude in degrees, −180 … 180, east positive.
    public let longitude: Double

    /// Creates a coordinate, or returns `nil` if either angle is out of range or not a number.
    @inlinable
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude) else {
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Coordinate {
    /// Returns the length of the shortest line on the ellipsoid to `other`, in whole millimetres,
    /// rounded to nearest.
    ///
    /// Many distances in a row are measured faster, with the same results, by a `LocalMetric`.
    public func distance(to other: Coordinate) -> Distance {
        Distance(roundingMeters: geodesicMeters(to: other))
    }

    /// Returns the length in metres of the shortest line on the WGS-84 ellipsoid to `other`.
    ///
    /// Below 1 km it is flat, with the radii of curvature at the mean latitude; up to 10 km it is
    /// Gauss's mid-latitude method; beyond, or from 85° of latitude, Karney's geodesic. The error
    /// grows to 0.2 mm towards 1 km and 85° and is below 0.02 mm below 75°. Up to 10 km and 85° the
    /// result has the same bits on every machine.
    public func geodesicMeters(to other: Coordinate) -> Double {
        let index = LatitudeCell.index(middleDegrees: (latitude + other.latitude) / 2)
        return LatitudeCell(index: index).geodesicMeters(from: self, to: other)
    }
}

/// A span of latitudes and longitudes around a point: a test that costs a few comparisons, before
/// or in place of measuring a distance.
public struct CoordinateBox: Hashable, Sendable {
    /// The shortest degree of latitude, at the equator, in metres.
    private static let shortestLatitudeDegree = 110_574.0

    /// The shortest degree of longitude at latitude φ, divided by cos φ, in metres.
    private static let shortestLongitudeDegree = 111_319.0

    /// The longest degree of either, in metres.
    private static let longestDegree = 111_695.0

    /// The largest rounding error of distances and of this box, in degrees: a centimetre.
    private static let roundingDegrees = 1e-7

    /// The latitude from which a box reaches around the pole, in degrees.
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

    /// Creates a box whose positions all lie within a distance of a point; below four centimetres
    /// it is empty.
    public init(around center: Coordinate, within distance: Distance) {
        latitude = center.latitude
        longitude = center.longitude
        // A position can be reached along a parallel, then a meridian: each gets half the distance.
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
