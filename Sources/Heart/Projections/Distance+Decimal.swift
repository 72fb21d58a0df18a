package import Geodesy
package import TripEvents

extension Distance {
    /// The longest distance that a person can claim: ten million kilometres.
    ///
    /// Sums of 900,000 of them still fit.
    private static let longestMillimeters: Int64 = 10_000_000_000_000

    /// Creates the length in whole millimetres that is nearest to a number of metres that is not
    /// negative, at most ten million kilometres.
    package init(nearestTo meters: ExactDecimal) {
        if let exact = meters.units(places: 3) {
            self.init(millimeters: min(exact, Self.longestMillimeters))
            return
        }
        let millimeters = (meters.doubleValue * 1_000).rounded()
        let isShort = millimeters < Double(Self.longestMillimeters)
        self.init(millimeters: isShort ? Int64(millimeters) : Self.longestMillimeters)
    }

    /// Creates the length in whole millimetres that is nearest to a number of kilometres or miles
    /// that is not negative, at most ten million kilometres.
    package init(nearestTo value: ExactDecimal, _ unit: DistanceUnit) {
        if unit == .kilometers, let exact = value.units(places: 6) {
            self.init(millimeters: min(exact, Self.longestMillimeters))
            return
        }
        let millimetersPerUnit =
            switch unit {
            case .kilometers: 1_000_000.0
            case .miles: 1_609_344.0
            }
        let millimeters = (value.doubleValue * millimetersPerUnit).rounded()
        let isShort = millimeters < Double(Self.longestMillimeters)
        self.init(millimeters: isShort ? Int64(millimeters) : Self.longestMillimeters)
    }
}
