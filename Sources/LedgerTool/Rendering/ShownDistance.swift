import Geodesy
import TripEvents

/// A distance for people, rounded to nearest in whole numbers.
enum ShownDistance {
    /// The international mile, exactly.
    private static let millimetersPerMile: Int64 = 1_609_344
    private static let millimetersPerKilometer: Int64 = 1_000_000

    /// Returns a distance in the ledger's unit with two decimals, such as `9.31 km`.
    static func text(_ distance: Distance, in unit: DistanceUnit) -> String {
        let one =
            switch unit {
            case .kilometers: millimetersPerKilometer
            case .miles: millimetersPerMile
            }
        let magnitude = (Int64(distance.millimeters.magnitude) * 100 + one / 2) / one
        let hundredths = distance < .zero ? -magnitude : magnitude
        return "\(decimal(hundredths, decimals: 2)) \(unit.rawValue)"
    }

    /// Returns the metres with all three decimals, such as `9312.345`.
    static func meters(_ distance: Distance) -> String {
        decimal(distance.millimeters, decimals: 3)
    }

    /// Returns number ÷ 10^decimals.
    static func decimal(_ number: Int64, decimals: Int) -> String {
        let digits = String(number.magnitude)
        let padded =
            String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
