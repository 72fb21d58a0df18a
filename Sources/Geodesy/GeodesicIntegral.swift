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

    /// I₃: what the longitude lags behind the sphere's (equations 23, 24 and 25).
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
