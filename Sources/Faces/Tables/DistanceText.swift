package import Geodesy
package import TripEvents

/// A distance for people, rounded to nearest in whole numbers.
package enum DistanceText {
    /// Returns a distance with two decimals and its unit, such as `9.31 km`.
    package static func text(_ distance: Distance, in unit: DistanceUnit) -> String {
        number(distance, in: unit, decimals: 2) + " " + unit.rawValue
    }

    /// Returns a distance in a unit with at most six decimals, without the unit.
    package static func number(
        _ distance: Distance,
        in unit: DistanceUnit,
        decimals: Int
    ) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: longest) {
            append(distance, in: unit, decimals: decimals, to: &$0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the metres with all three decimals, such as `9312.345`.
    package static func meters(_ distance: Distance) -> String {
        FixedPoint.text(distance.millimeters, decimals: 3)
    }

    /// The most bytes of a distance without its unit.
    package static let longest = FixedPoint.longestText

    /// Appends a distance in a unit with at most six decimals, without the unit; there MUST be
    /// room for it.
    package static func append(
        _ distance: Distance,
        in unit: DistanceUnit,
        decimals: Int,
        to span: inout OutputSpan<UInt8>
    ) {
        FixedPoint.append(
            scaled(distance, in: unit, decimals: decimals),
            decimals: decimals,
            to: &span
        )
    }

    /// Returns a distance in a unit, rounded to at most six decimals, as a whole number of the last
    /// one.
    package static func scaled(
        _ distance: Distance,
        in unit: DistanceUnit,
        decimals: Int
    ) -> Int64 {
        // A distance is at most 2⁵³ mm.
        let scale: Int64 = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000][decimals]
        let one = millimeters(in: unit)
        let (whole, rest) = distance.millimeters.quotientAndRemainder(dividingBy: one)
        let half = rest < 0 ? -one / 2 : one / 2
        let rounded = (rest * scale + half) / one
        return whole * scale + rounded
    }

    private static func millimeters(in unit: DistanceUnit) -> Int64 {
        switch unit {
        case .kilometers: 1_000_000
        // The international mile, exactly.
        case .miles: 1_609_344
        }
    }
}
