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
