import Glibc

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
