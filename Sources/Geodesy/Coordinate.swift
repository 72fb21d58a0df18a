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
