/// The lengths of a degree within a band of latitude 0.01° high.
///
/// Everything in it follows from its index, and which cell measures a pair of points follows from
/// the two points, so a distance never depends on which cells were used before.
@usableFromInline
struct LatitudeCell: Sendable {
    /// The number of the cell, from 0 at the south pole.
    @usableFromInline let index: Int

    /// The latitude of its centre in degrees.
    @usableFromInline let centerDegrees: Double

    /// Metres per degree of latitude: at the centre, then its change per degree from there.
    @usableFromInline let north: (value: Double, slope: Double)

    /// Metres per degree of longitude: at the centre, then the next two terms of its Taylor series.
    @usableFromInline let east: (value: Double, slope: Double, curvature: Double)

    /// The sine of the latitude: at the centre, then its change per degree from there.
    let sine: (value: Double, slope: Double)

    /// Creates the cell with a number.
    ///
    /// With M and N the radii of curvature in the meridian and the prime vertical and
    /// W² = 1 − e² sin² φ, the derivatives are M′ = 3 e² M sin φ cos φ ÷ W² and
    /// (N cos φ)′ = −M sin φ (Rapp, "Geometric geodesy, part I", 1991, section 3.5). At the edge of
    /// the cell the first term left out is below 1e-10 of the value, up to 85°.
    @usableFromInline @inline(never)
    init(index: Int) {
        let degree = Ellipsoid.radiansPerDegree
        let center = (Double(index) + 0.5) / 100 - 90
        let angle = ReproducibleAngle(latitudeDegrees: center)
        let square = 1 - Ellipsoid.eccentricitySquared * angle.sine * angle.sine
        let normal = Ellipsoid.equatorialRadiusMeters / square.squareRoot()
        let meridian = normal * (1 - Ellipsoid.eccentricitySquared) / square
        let meridianSlope =
            3 * Ellipsoid.eccentricitySquared * meridian * angle.sine * angle.cosine / square
        self.index = index
        centerDegrees = center
        north = (value: meridian * degree, slope: meridianSlope * degree * degree)
        east = (
            value: normal * angle.cosine * degree,
            slope: -meridian * angle.sine * degree * degree,
            curvature: -(meridian * angle.cosine + meridianSlope * angle.sine) / 2
                * degree * degree * degree
        )
        sine = (value: angle.sine, slope: angle.cosine * degree)
    }

    /// Returns the number of the cell that measures points whose mean latitude is `middleDegrees`.
    @inlinable
    static func index(middleDegrees: Double) -> Int {
        Int((middleDegrees + 90) * 100)
    }
}
