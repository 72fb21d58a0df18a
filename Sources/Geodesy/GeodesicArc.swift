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
