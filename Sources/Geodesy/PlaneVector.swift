/// A step on the plane that touches the ellipsoid between two points.
@usableFromInline
struct PlaneVector: Sendable {
    @usableFromInline let northMeters: Double
    @usableFromInline let eastMeters: Double

    @inlinable
    init(northMeters: Double, eastMeters: Double) {
        self.northMeters = northMeters
        self.eastMeters = eastMeters
    }

    /// The square of its length, in m².
    @inlinable
    var squareMeters: Double {
        northMeters * northMeters + eastMeters * eastMeters
    }
}
