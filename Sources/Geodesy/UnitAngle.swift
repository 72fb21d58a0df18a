import Glibc

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
