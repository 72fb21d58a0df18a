import Geodesy
import TripEvents

/// A distance for people, rounded to nearest in whole numbers.
enum ShownDistance {
    /// Returns a distance with two decimals and its unit, such as `9.31 km`.
    static func text(_ distance: Distance, in unit: DistanceUnit) -> String {
        var bytes: [UInt8] = []
        append(distance, in: unit, decimals: 2, to: &bytes)
        return String(decoding: bytes, as: UTF8.self) + " " + unit.rawValue
    }

    /// Returns the metres with all three decimals, such as `9312.345`.
    static func meters(_ distance: Distance) -> String {
        FixedPoint.text(distance.millimeters, decimals: 3)
    }

    /// Appends a distance in a unit with at most six decimals, without the unit.
    static func append(
        _ distance: Distance,
        in unit: DistanceUnit,
        decimals: Int,
        to bytes: inout [UInt8]
    ) {
        // A distance is at most 2⁵³ mm.
        let scale: Int64 = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][decimals]
        let one = millimeters(in: unit)
        let (whole, rest) = distance.millimeters.quotientAndRemainder(dividingBy: one)
        let half = rest < 0 ? -one / 2 : one / 2
        let rounded = (rest * scale + half) / one
        FixedPoint.append(whole * scale + rounded, decimals: decimals, to: &bytes)
    }

    private static func millimeters(in unit: DistanceUnit) -> Int64 {
        switch unit {
        case .kilometers: 1_000_000
        // The international mile, exactly.
        case .miles: 1_609_344
        }
    }
}
