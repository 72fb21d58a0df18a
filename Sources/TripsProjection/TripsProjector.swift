public import Projections
public import TripTracking

/// Makes the view of all trips, one row each.
public struct TripsProjector: Projector {
    /// The row of one trip.
    public typealias Row = TripRow

    /// The name of the view.
    public static let name = "trips"

    /// The version of the view.
    public static let version: UInt32 = 2

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row as the step shows it, or removes it.
    public func evolve<Rows: RowStore & ~Copyable>(
        _ step: TripStep,
        in rows: inout Rows
    ) throws(Rows.Failure) {
        switch step {
        case .opened(let trip), .updated(let trip), .ended(let trip):
            try rows.put(TripRow(trip))
        case .withdrawn(let id):
            try rows.remove(key: TripRow.key(of: id))
        }
    }
}
