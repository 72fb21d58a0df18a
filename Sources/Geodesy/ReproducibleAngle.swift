/// The sine and cosine of a latitude, with the same bits on every machine.
///
/// Mathematical libraries differ in the last bit. Only addition, multiplication and division are
/// used here, which IEEE 754 rounds in one way.
/// Source: Abramowitz and Stegun, "Handbook of mathematical functions", 4.3.65 and 4.3.66.
struct ReproducibleAngle {
    let sine: Double
    let cosine: Double

    /// Creates the angle of `degrees`, −135 … 135: a little more than latitudes need.
    init(latitudeDegrees degrees: Double) {
        let size = abs(degrees)
        // Below 45° the series below end well under the last bit.
        if size <= 45 {
            let angle = size * Ellipsoid.radiansPerDegree
            sine = degrees < 0 ? -Self.sine(angle) : Self.sine(angle)
            cosine = Self.cosine(angle)
        } else {
            let complement = (90 - size) * Ellipsoid.radiansPerDegree
            sine = degrees < 0 ? -Self.cosine(complement) : Self.cosine(complement)
            cosine = Self.sine(complement)
        }
    }

    /// x − x³/3! + x⁵/5! … x¹⁷/17!, written so that each term is made from the next.
    private static func sine(_ radians: Double) -> Double {
        let square = radians * radians
        var factor = 1.0
        for order in stride(from: 16, through: 2, by: -2) {
            factor = 1 - square / Double(order * (order + 1)) * factor
        }
        return radians * factor
    }

    /// 1 − x²/2! + x⁴/4! … x¹⁶/16!, written so that each term is made from the next.
    private static func cosine(_ radians: Double) -> Double {
        let square = radians * radians
        var sum = 1.0
        for order in stride(from: 15, through: 1, by: -2) {
            sum = 1 - square / Double(order * (order + 1)) * sum
        }
        return sum
    }
}
