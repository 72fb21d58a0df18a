import Glibc

/// Karney's solution of the inverse geodesic problem: how far apart two points are, for any two.
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
        let geodetic = UnitAngle(degrees: degrees)
        let cosine = abs(degrees) == 90 ? 1e-150 : geodetic.cosine
        return UnitAngle(along: cosine, across: Ellipsoid.axisRatio * geodetic.sine)
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
