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
