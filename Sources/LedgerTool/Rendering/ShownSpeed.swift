import Geodesy
import TripEvents

/// An average speed: the distance over the time that it took, in whole numbers.
struct ShownSpeed {
    /// The speed in metres per hour: a thousandth of a kilometre per hour.
    let metersPerHour: Int64

    /// Creates the average over some milliseconds, or returns `nil` if there were none.
    init?(_ distance: Distance, inMilliseconds milliseconds: Int64) {
        guard milliseconds > 0 else { return nil }
        let product = distance.millimeters.multipliedReportingOverflow(by: 3_600)
        guard !product.overflow else { return nil }
        metersPerHour = product.partialValue / milliseconds
    }

    /// The speed in the ledger's unit, rounded to nearest, such as `104 km/h`.
    func text(in unit: DistanceUnit) -> String {
        switch unit {
        case .kilometers: "\((metersPerHour + 500) / 1_000) km/h"
        case .miles: "\((metersPerHour * 1_000 + 804_672) / 1_609_344) mph"
        }
    }
}
