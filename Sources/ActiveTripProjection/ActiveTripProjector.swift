public import Projections
import TripEvents
import TripTracking

/// Makes the view of the trips that are going on: what people said about each so far.
///
/// How far a trip has got changes with every fix and is not in it: that is in the active-trip
/// checkpoint, the stored tracker of the trip's source.
public struct ActiveTripProjector: Projector {
    /// The row of one trip.
    public typealias Row = ActiveTripRow

    /// The name of the view.
    public static let name = "active_trips"

    /// The version of the view.
    public static let version: UInt32 = 1

    /// Creates a projector.
    public init() {}

    /// Puts the trip's row while it goes on, and removes it when it has ended or gone.
    public func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws {
        guard case .trip(let change) = change else { return }
        let old = Self.row(of: change.old)
        let new = Self.row(of: change.new)
        // Byte by byte: texts that Swift holds for equal may be spelt differently.
        let value = new?.value
        guard old?.value != value else { return }
        if let new, let value {
            try rows.put(value, key: new.key, orderKey: new.orderKey)
        } else if let old {
            try rows.remove(key: old.key)
        }
    }

    /// Returns the row of a trip, or `nil` if it has none because it does not go on.
    private static func row(of booked: BookedTrip?) -> ActiveTripRow? {
        guard let booked, booked.trip.status == .active else { return nil }
        return ActiveTripRow(booked)
    }
}
