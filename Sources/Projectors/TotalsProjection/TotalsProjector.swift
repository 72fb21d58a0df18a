public import Projections
import TripEvents
import TripTracking

/// Makes the view of totals: of each change, the old trip is taken away and the new one added.
///
/// Only completed trips count: no active, abandoned or voided ones, and no parts of merged ones.
/// Recorded ways that are no trips are added up by themselves, by the reason.
public struct TotalsProjector: Projector {
    /// The row of trips that start in one hour and have more in common.
    public typealias Row = TotalsRow

    /// The name of the view.
    public static let name = "totals"

    /// The version of the view.
    public static let version: UInt32 = 9

    /// Creates a projector.
    public init() {}

    /// Takes the old trip away and adds the new one.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        guard case .trip(let change) = change else { return }
        if let old = change.old, Self.isAddedUp(old) {
            let key = Self.key(of: old)
            var row = try Self.row(of: key, in: rows)
            row.subtract(TotalsSums(old), from: key)
            try Self.store(row, in: &rows)
        }
        if let new = change.new, Self.isAddedUp(new) {
            let key = Self.key(of: new)
            var row = try Self.row(of: key, in: rows)
            row.add(TotalsSums(new), to: key)
            try Self.store(row, in: &rows)
        }
    }

    /// Returns whether a trip is in a row, be it among those that do not count.
    private static func isAddedUp(_ booked: BookedTrip) -> Bool {
        booked.counts || booked.uncountedReason != nil
    }

    /// Returns where a trip is added up.
    static func key(of booked: BookedTrip) -> TotalsKey {
        TotalsKey(
            startedAt: booked.trip.startedAt,
            source: booked.trip.source,
            group: booked.trip.group,
            vehicle: booked.details.vehicle,
            tripClass: booked.tripClass,
            client: booked.details.client,
            uncounted: booked.uncountedReason
        )
    }

    private static func row(of key: TotalsKey, in rows: ViewRows) throws -> TotalsRow {
        let empty = TotalsRow(for: key)
        let stored = try rows.value(forKey: empty.key)
        return try stored.map { try TotalsRow(decoding: $0) } ?? empty
    }

    private static func store(_ row: TotalsRow, in rows: inout ViewRows) throws {
        if row.cells.isEmpty {
            try rows.remove(key: row.key)
        } else {
            try rows.put(row)
        }
    }
}
