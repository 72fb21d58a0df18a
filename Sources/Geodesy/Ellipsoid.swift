/// The WGS-84 ellipsoid and the constants that follow from it.
///
/// Source: NIMA TR8350.2, "Department of Defense World Geodetic System 1984", table 3.1.
enum Ellipsoid {
    /// The equatorial radius *a*.
    static let equatorialRadiusMeters = 6_378_137.0

    /// The flattening *f*.
    static let flattening = 1 / 298.257_223_563

    /// The ratio of the radii, *b* ÷ *a*.
    static let axisRatio = 1 - flattening

    /// The polar radius *b*.
    static let polarRadiusMeters = equatorialRadiusMeters * axisRatio

    /// The third flattening *n* = (*a* − *b*) ÷ (*a* + *b*).
    static let thirdFlattening = flattening / (2 - flattening)

    /// The square of the first eccentricity *e*.
    static let eccentricitySquared = flattening * (2 - flattening)

    /// The square of the second eccentricity *e′*.
    static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)

    /// Radians in one degree.
    static let radiansPerDegree = Double.pi / 180
}
