import Glibc

/// Karney's solution of the inverse geodesic problem: the distance between any two points.
///
/// The points are reordered and mirrored so that the first is the farther one from the equator and
/// lies south of it, and the second lies to its east; that changes no length. The azimuth at the
/// first point is then found by Newton's method on the longitude at which the geodesic meets the
/// second point's latitude.
/// Source: Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), sections 4 and 5.
@usableFromInline
struct GeodesicInverse {
    /// The reduced latitudes β₁ ≤ 0 and β₂ ≤ |β₁|.
    let start: UnitAngle
    let end: UnitAngle

    /// The difference of longitude λ₁₂, 0 … π.
    let longitude: UnitAngle

    /// π − λ₁₂ in radians.
    let supplementRadians: Double

    /// Poses the problem for two points.
    @usableFromInline
    init(from first: Coordinate, to second: Coordinate) {
        let swapped = abs(first.latitude) < abs(second.latitude)
        let far = swapped ? second.latitude : first.latitude
        let near = swapped ? first.latitude : second.latitude
        start = Self.reducedLatitude(degrees: -abs(far))
        end = Self.reducedLatitude(degrees: far > 0 ? -near : near)
        let degrees = abs(LatitudeCell.longitudeDifference(from: first, to: second))
        // Near 180° the sine is taken of the exact supplement.
        supplementRadians = (180 - degrees) * Ellipsoid.radiansPerDegree
        longitude =
            degrees <= 90
            ? UnitAngle(degrees: degrees)
            : UnitAngle(sine: sin(supplementRadians), cosine: -cos(supplementRadians))
    }

    /// The length in metres of the shortest geodesic.
    @usableFromInline var meters: Double {
        if let meridian = meridianMeters { return meridian }
        if start.sine == 0, supplementRadians >= Ellipsoid.flattening * .pi {
            return Ellipsoid.equatorialRadiusMeters * (.pi - supplementRadians)
        }
        switch estimate() {
        case .meters(let meters): return meters
        case .azimuth(let azimuth): return solve(from: azimuth)
        }
    }

    /// β with tan β = (1 − f) tan φ (equation 6); at a pole its cosine is tiny instead of zero, so
    /// that an azimuth keeps its meaning there.
    private static func reducedLatitude(degrees: Double) -> UnitAngle {
        let geodetic = UnitAngle(degrees: rounded(degrees: degrees))
        let cosine = abs(degrees) == 90 ? 1e-150 : geodetic.cosine
        return UnitAngle(along: cosine, across: Ellipsoid.axisRatio * geodetic.sine)
    }

    /// Returns a latitude rounded to 1e-17°, finer than any place on earth is measured.
    ///
    /// So it is zero on the equator, and never so little that its square vanishes.
    /// Source: Karney, GeographicLib, `AngRound`.
    private static func rounded(degrees: Double) -> Double {
        let coarse = 1.0 / 16
        guard abs(degrees) < coarse else { return degrees }
        // The sign is kept, so that -0 stays south of the equator.
        return Double(signOf: degrees, magnitudeOf: coarse - (coarse - abs(degrees)))
    }

    /// The length if both points lie on one meridian and that is the shortest way, else `nil`.
    private var meridianMeters: Double? {
        let isPole = start.cosine < 1e-100
        guard isPole || longitude.sine == 0 else { return nil }
        // From the pole every direction is a meridian, from elsewhere those to the north and south.
        let azimuth = isPole ? longitude : UnitAngle(sine: 0, cosine: longitude.cosine)
        let startArc = UnitAngle(sine: start.sine, cosine: azimuth.cosine * start.cosine)
        let endArc = UnitAngle(sine: end.sine, cosine: end.cosine)
        let turn = startArc.turn(to: endArc)
        let arc = GeodesicArc(
            equatorialAzimuthCosine: 1,
            start: startArc,
            end: endArc,
            length: UnitAngle(sine: max(0, turn.sine), cosine: turn.cosine).radians
        )
        // Beyond a conjugate point a meridian is no longer the shortest way.
        guard arc.length < 1 || arc.reducedLength >= 0 else { return nil }
        return arc.meters
    }

    /// Finds the azimuth at the first point from a first guess, and with it the length.
    ///
    /// The longitude grows with the azimuth, so a bracket is kept and halved when Newton's step
    /// leaves it (Karney, "Algorithms for geodesics: addenda", 2013).
    private func solve(from guess: UnitAngle) -> Double {
        var azimuth = guess
        var low = UnitAngle(sine: 1e-150, cosine: 1)
        var high = UnitAngle(sine: 1e-150, cosine: -1)
        var trial = GeodesicTrial(azimuth: azimuth, from: start, to: end, longitude: longitude)
        for _ in 0..<Self.mostSteps where abs(trial.excessRadians) > Self.closeEnoughRadians {
            if trial.excessRadians > 0 {
                high = azimuth
            } else {
                low = azimuth
            }
            let step = -trial.excessRadians / trial.slope
            let newton = azimuth.turned(by: UnitAngle(radians: step))
            let isInside = low.turn(to: newton).sine > 0 && newton.turn(to: high).sine > 0
            azimuth =
                trial.slope > 0 && abs(step) < .pi && isInside
                ? newton
                : UnitAngle(along: low.cosine + high.cosine, across: low.sine + high.sine)
            trial = GeodesicTrial(azimuth: azimuth, from: start, to: end, longitude: longitude)
        }
        return trial.arc.meters
    }

    /// A hundred halvings exhaust a `Double`; Newton's method needs two to four steps.
    private static let mostSteps = 100

    /// 1e-14 radians are 64 nm on the equator.
    private static let closeEnoughRadians = 1e-14
}

extension GeodesicInverse {
    /// A first estimate of a geodesic, before iterating.
    enum Estimate {
        /// The points are so close that this is their distance.
        case meters(Double)

        /// The geodesic starts about in this direction.
        case azimuth(UnitAngle)
    }

    /// Guesses the azimuth at the first point: on a sphere, or, for points nearly opposite each
    /// other, from the astroid that the geodesics of a point's far side envelop (section 5).
    func estimate() -> Estimate {
        let rise = UnitAngle(
            sine: end.sine * start.cosine - end.cosine * start.sine,
            cosine: end.cosine * start.cosine + end.sine * start.sine
        )
        let isShort =
            rise.cosine >= 0 && rise.sine < 0.5
            && end.cosine * (.pi - supplementRadians) < 0.5
        let meanRadius = meanLatitudeRatio
        let sphere =
            isShort
            ? UnitAngle(
                radians: (.pi - supplementRadians) / (Ellipsoid.axisRatio * meanRadius)
            )
            : longitude
        let heading = sphericalAzimuth(longitude: sphere)
        let arcSine = hypot(heading.sine, heading.cosine)
        let arcCosine = start.sine * end.sine + start.cosine * end.cosine * sphere.cosine
        if isShort, arcSine < Self.shortArc {
            return .meters(
                Ellipsoid.polarRadiusMeters * meanRadius * atan2(arcSine, arcCosine)
            )
        }
        let isFarFromOpposite =
            arcCosine >= 0
            || arcSine >= 6 * Ellipsoid.thirdFlattening * .pi * start.cosine * start.cosine
        let direction = isFarFromOpposite ? heading : oppositeAzimuth()
        guard direction.sine > 0 else {
            return .azimuth(UnitAngle(sine: 1, cosine: 0))
        }
        return .azimuth(UnitAngle(along: direction.cosine, across: direction.sine))
    }

    /// √(1 + e′² sin² β) at the mean latitude: what turns radians of arc into polar radii
    /// (equation 48).
    private var meanLatitudeRatio: Double {
        let sine = (start.sine + end.sine) * (start.sine + end.sine)
        let cosine = (start.cosine + end.cosine) * (start.cosine + end.cosine)
        return (1 + Ellipsoid.secondEccentricitySquared * sine / (sine + cosine)).squareRoot()
    }

    /// The azimuth on a sphere, times the sine of the arc (equation 49).
    private func sphericalAzimuth(longitude: UnitAngle) -> UnitAngle {
        let shared = end.cosine * start.sine * longitude.sine * longitude.sine
        let cosine =
            longitude.cosine >= 0
            ? end.sine * start.cosine - end.cosine * start.sine
                + shared / (1 + longitude.cosine)
            : end.sine * start.cosine + end.cosine * start.sine
                - shared / (1 - longitude.cosine)
        return UnitAngle(sine: end.cosine * longitude.sine, cosine: cosine)
    }

    /// The azimuth for points nearly opposite each other (equations 53 to 57).
    private func oppositeAzimuth() -> UnitAngle {
        let expansion = GeodesicIntegral.expansion(equatorialAzimuthCosine: -start.sine)
        let longitudeUnit =
            Ellipsoid.flattening * start.cosine * .pi
            * GeodesicIntegral.longitudeScale(expansion: expansion)
        let latitudeUnit = longitudeUnit * start.cosine
        let east = -supplementRadians / longitudeUnit
        let north = (end.sine * start.cosine + end.cosine * start.sine) / latitudeUnit
        // On the segment between the cusps, to rounding, the astroid's equation has no root.
        if north > -Self.onSegmentNorth, east > -1 - Self.onSegmentEast {
            let sine = min(1, -east)
            return UnitAngle(sine: sine, cosine: -(1 - sine * sine).squareRoot())
        }
        let root = Astroid.root(east: east, north: north)
        let supplement = -longitudeUnit * east * root / (1 + root)
        return sphericalAzimuth(
            longitude: UnitAngle(sine: sin(supplement), cosine: -cos(supplement))
        )
    }

    /// Arcs in radians below which the sphere of equation 48 is exact to rounding.
    private static let shortArc = 3.6e-8

    private static let onSegmentNorth = 4.4e-14
    private static let onSegmentEast = 1.5e-5
}

/// The astroid that the geodesics of a point envelop on the far side of the ellipsoid.
enum Astroid {
    /// Returns the positive root κ of κ⁴ + 2κ³ − (x² + y² − 1)κ² − 2y²κ − y² = 0.
    ///
    /// Source: Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), equation 55 and
    /// appendix B.
    static func root(east x: Double, north y: Double) -> Double {
        let xSquared = x * x
        let ySquared = y * y
        let r = (xSquared + ySquared - 1) / 6
        guard ySquared > 0 || r > 0 else { return 0 }
        let u = resolvent(quarterProduct: xSquared * ySquared / 4, r: r)
        let v = (u * u + ySquared).squareRoot()
        // u + v, without the loss of digits when u is negative.
        let sum = u < 0 ? ySquared / (v - u) : u + v
        let w = (sum - ySquared) / (2 * v)
        return sum / ((sum + w * w).squareRoot() + w)
    }

    /// The real root of the quartic's resolvent cubic.
    private static func resolvent(quarterProduct s: Double, r: Double) -> Double {
        let rCubed = r * r * r
        let discriminant = s * (s + 2 * rCubed)
        if discriminant < 0 {
            return r + 2 * r * cos(atan2((-discriminant).squareRoot(), -(s + rCubed)) / 3)
        }
        let sum = s + rCubed
        let cube = sum < 0 ? sum - discriminant.squareRoot() : sum + discriminant.squareRoot()
        let t = cbrt(cube)
        return r + t + (t == 0 ? 0 : r * r / t)
    }
}
