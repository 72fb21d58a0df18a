public import Projections
import TripEvents

/// Makes the view of all trips, one row each: voided ones and parts of merged ones too.
public struct TripsProjector: Projector {
    /// The row of one trip.
    public typealias Row = TripRow

    /// The name of the view.
    public static let name = "trips"

    /// The version of the view.
    public static let version: UInt32 = 3

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row as it is after the change, or removes it.
    public func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws {
        guard case .trip(let change) = change else { return }
        if let new = change.new {
            try rows.put(TripRow(new))
        } else if let old = change.old {
            try rows.remove(key: TripRow.key(of: old.id))
        }
    }
}
