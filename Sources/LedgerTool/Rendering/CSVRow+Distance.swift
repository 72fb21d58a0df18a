import Geodesy
import TripEvents

extension CSVRow {
    /// To the millimetre in kilometres; a mile has no end of decimals.
    private static let decimals = 6

    /// Adds a distance in a unit.
    mutating func add(_ distance: Distance?, in unit: DistanceUnit) {
        add(plain: { bytes in
            guard let distance else { return }
            bytes.append(addingCapacity: ShownDistance.longestText) {
                ShownDistance.append(distance, in: unit, decimals: Self.decimals, to: &$0)
            }
        })
    }
}
