import Glibc

/// A piece of a geodesic, by its arc on the auxiliary sphere.
struct GeodesicArc {
    /// The arc lengths σ₁ and σ₂ from the node.
    let start: UnitAngle
    let end: UnitAngle

    /// σ₂ − σ₁ in radians.
    let length: Double

    private let secondEccentricity: Double
    private let expansion: Double

    /// Creates an arc of the geodesic that crosses the equator at azimuth α₀.
    init(equatorialAzimuthCosine cosine: Double, start: UnitAngle, end: UnitAngle, length: Double) {
        self.start = start
        self.end = end
        self.length = length
        secondEccentricity = cosine * cosine * Ellipsoid.secondEccentricitySquared
        expansion = GeodesicIntegral.expansion(equatorialAzimuthCosine: cosine)
    }

    /// The length on the ellipsoid (equation 7).
    var meters: Double {
        Ellipsoid.polarRadiusMeters
            * GeodesicIntegral.distance(expansion: expansion)
            .value(from: start, to: end, length: length)
    }

    /// The reduced length m₁₂ in units of the polar radius (equation 38).
    var reducedLength: Double {
        let distance = GeodesicIntegral.distance(expansion: expansion)
        let reduction = GeodesicIntegral.reduction(expansion: expansion)
        let difference =
            distance.value(from: start, to: end, length: length)
            - reduction.value(from: start, to: end, length: length)
        return root(at: end) * (start.cosine * end.sine)
            - root(at: start) * (start.sine * end.cosine)
            - start.cosine * end.cosine * difference
    }

    /// How far the longitude falls behind the auxiliary sphere's, for α₀ with sine 1, in radians
    /// (equation 8).
    var longitudeLagRadians: Double {
        Ellipsoid.flattening
            * GeodesicIntegral.longitude(expansion: expansion)
            .value(from: start, to: end, length: length)
    }

    /// √(1 + k² sin² σ).
    private func root(at arc: UnitAngle) -> Double {
        (1 + secondEccentricity * arc.sine * arc.sine).squareRoot()
    }
}

/// A geodesic that starts with a guessed azimuth and ends where it meets the second point's
/// latitude.
///
/// Source: Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), section 4 and equation 46.
struct GeodesicTrial {
    /// The geodesic between the two latitudes.
    let arc: GeodesicArc

    /// How much farther east than the second point it ends.
    let excessRadians: Double

    /// The change of the excess with the azimuth.
    let slope: Double

    /// Shoots a geodesic from reduced latitude `start` to reduced latitude `end`.
    init(
        azimuth: UnitAngle,
        from start: UnitAngle,
        to end: UnitAngle,
        longitude: UnitAngle
    ) {
        // Due east on the equator would have no node to count from.
        let cosine = start.sine == 0 && azimuth.cosine == 0 ? -1e-150 : azimuth.cosine
        let nodeSine = azimuth.sine * start.cosine
        let nodeCosine = hypot(cosine, azimuth.sine * start.sine)
        let endCosine = Self.northwardShare(of: cosine, from: start, to: end)

        let startArc = UnitAngle(along: cosine * start.cosine, across: start.sine)
        let endArc = UnitAngle(along: endCosine, across: end.sine)
        let turn = startArc.turn(to: endArc)
        arc = GeodesicArc(
            equatorialAzimuthCosine: nodeCosine,
            start: startArc,
            end: endArc,
            length: UnitAngle(sine: max(0, turn.sine), cosine: turn.cosine).radians
        )

        let startSphere = UnitAngle(along: cosine * start.cosine, across: nodeSine * start.sine)
        let endSphere = UnitAngle(along: endCosine, across: nodeSine * end.sine)
        let sphere = startSphere.turn(to: endSphere)
        let onSphere = longitude.turn(
            to: UnitAngle(sine: max(0, sphere.sine), cosine: sphere.cosine)
        )
        excessRadians = onSphere.radians - nodeSine * arc.longitudeLagRadians
        slope =
            endCosine == 0
            ? -2 * Ellipsoid.axisRatio
                * (1 + Ellipsoid.secondEccentricitySquared * start.sine * start.sine).squareRoot()
                / start.sine
            : Ellipsoid.axisRatio * arc.reducedLength / endCosine
    }

    /// cos α₂ cos β₂, which is √(cos² α₁ cos² β₁ + cos² β₂ − cos² β₁) (equation 45), without the
    /// loss of digits when the latitudes are nearly the same.
    private static func northwardShare(
        of cosine: Double,
        from start: UnitAngle,
        to end: UnitAngle
    ) -> Double {
        let difference =
            start.cosine < -start.sine
            ? (end.cosine - start.cosine) * (start.cosine + end.cosine)
            : (start.sine - end.sine) * (start.sine + end.sine)
        let square = cosine * start.cosine * cosine * start.cosine + difference
        return max(0, square).squareRoot()
    }
}

/// One of the three integrals along a geodesic, as a Fourier series in the arc length σ on the
/// auxiliary sphere: A · (σ + Σ Cₗ sin 2lσ), to the sixth order in the flattening.
///
/// Source: Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), equations 15 to 25 and 40 to
/// 43.
struct GeodesicIntegral {
    let scale: Double
    let coefficients: InlineArray<6, Double>

    /// Returns the integral between two arcs that lie `length` radians apart.
    func value(from start: UnitAngle, to end: UnitAngle, length: Double) -> Double {
        scale * (length + (periodicPart(at: end) - periodicPart(at: start)))
    }

    /// Clenshaw's summation of Σ Cₗ sin 2lσ.
    private func periodicPart(at arc: UnitAngle) -> Double {
        let twiceCosine = 2 * (arc.cosine - arc.sine) * (arc.cosine + arc.sine)
        var current = 0.0
        var previous = 0.0
        for order in (0..<6).reversed() {
            (current, previous) = (twiceCosine * current - previous + coefficients[order], current)
        }
        return 2 * arc.sine * arc.cosine * current
    }

    /// The expansion parameter ε of the geodesic that crosses the equator at the azimuth whose
    /// cosine is given (equations 9 and 16).
    static func expansion(equatorialAzimuthCosine cosine: Double) -> Double {
        let square = cosine * cosine * Ellipsoid.secondEccentricitySquared
        return square / (2 * (1 + (1 + square).squareRoot()) + square)
    }

    /// I₁: the distance in units of the polar radius (equations 15, 17 and 18).
    static func distance(expansion e: Double) -> GeodesicIntegral {
        let square = e * e
        return GeodesicIntegral(
            scale: (1 + square * (1.0 / 4 + square * (1.0 / 64 + square / 256))) / (1 - e),
            coefficients: [
                e * (-1.0 / 2 + square * (3.0 / 16 - square / 32)),
                square * (-1.0 / 16 + square * (1.0 / 32 - square * 9 / 2_048)),
                e * square * (-1.0 / 48 + square * 3 / 256),
                square * square * (-5.0 / 512 + square * 3 / 512),
                e * square * square * -7 / 1_280,
                square * square * square * -7 / 2_048,
            ]
        )
    }

    /// I₂: with I₁ it gives the reduced length (equations 41, 42 and 43).
    static func reduction(expansion e: Double) -> GeodesicIntegral {
        let square = e * e
        return GeodesicIntegral(
            scale: (1 - e) * (1 + square * (1.0 / 4 + square * (9.0 / 64 + square * 25 / 256))),
            coefficients: [
                e * (1.0 / 2 + square * (1.0 / 16 + square / 32)),
                square * (3.0 / 16 + square * (1.0 / 32 + square * 35 / 2_048)),
                e * square * (5.0 / 48 + square * 5 / 256),
                square * square * (35.0 / 512 + square * 7 / 512),
                e * square * square * 63 / 1_280,
                square * square * square * 77 / 2_048,
            ]
        )
    }

    /// I₃: the lag of the longitude behind the sphere's (equations 23, 24 and 25).
    static func longitude(expansion e: Double) -> GeodesicIntegral {
        let n = Ellipsoid.thirdFlattening
        let second = e * e
        let third = second * e
        let fourth = second * second
        let fifth = fourth * e
        return GeodesicIntegral(
            scale: longitudeScale(expansion: e),
            coefficients: [
                (1 - n) / 4 * e + (1 - n * n) / 8 * second + (3 + 3 * n - n * n) / 64 * third
                    + (5 + 2 * n) / 128 * fourth + 3.0 / 128 * fifth,
                (2 - 3 * n + n * n) / 32 * second + (3 - 2 * n - 3 * n * n) / 64 * third
                    + (3 + n) / 128 * fourth + 5.0 / 256 * fifth,
                (5 - 9 * n + 5 * n * n) / 192 * third + (9 - 10 * n) / 384 * fourth
                    + 7.0 / 512 * fifth,
                (7 - 14 * n) / 512 * fourth + 7.0 / 512 * fifth,
                21.0 / 2_560 * fifth,
                0,
            ]
        )
    }

    /// The factor A₃ of `longitude(expansion:)` (equation 24).
    static func longitudeScale(expansion e: Double) -> Double {
        let n = Ellipsoid.thirdFlattening
        let second = (2 + n - 3 * n * n) / 8
        let third = (1 + 3 * n + n * n) / 16
        let fourth = (3 + 2 * n) / 64
        return 1 - e * ((1 - n) / 2 + e * (second + e * (third + e * (fourth + e * 3 / 128))))
    }
}

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

/// An angle by its sine and cosine, which keep small angles and right angles exact.
struct UnitAngle {
    var sine: Double
    var cosine: Double

    /// Creates an angle from numbers in the ratio of its sine and cosine.
    init(along cosine: Double, across sine: Double) {
        let length = hypot(sine, cosine)
        self.init(sine: sine / length, cosine: cosine / length)
    }

    init(sine: Double, cosine: Double) {
        self.sine = sine
        self.cosine = cosine
    }

    init(degrees: Double) {
        let radians = degrees * Ellipsoid.radiansPerDegree
        self.init(sine: sin(radians), cosine: cos(radians))
    }

    init(radians: Double) {
        self.init(sine: sin(radians), cosine: cos(radians))
    }

    /// The angle in radians, −π … π.
    var radians: Double {
        atan2(sine, cosine)
    }

    /// Returns the angle from this one to `other`.
    func turn(to other: UnitAngle) -> UnitAngle {
        UnitAngle(
            sine: cosine * other.sine - sine * other.cosine,
            cosine: cosine * other.cosine + sine * other.sine
        )
    }

    /// Returns this angle turned by `other`.
    func turned(by other: UnitAngle) -> UnitAngle {
        UnitAngle(
            sine: sine * other.cosine + cosine * other.sine,
            cosine: cosine * other.cosine - sine * other.sine
        )
    }
}
