import EventStore
import Projections
import SystemPackage
import TripEvents
import TripTracking
public import TripsProjection

extension Ledger {
    /// Returns the trip that a person named.
    ///
    /// - Throws: `.notFound` if there is none, or more than one; `.damaged`, `.inputOutput`.
    public func trip(_ reference: TripReference) throws(LedgerError) -> TripRow {
        try withViews { try trip(reference, in: $0) }
    }

    func trip(_ reference: TripReference, in store: ViewStore) throws -> TripRow {
        var found: [TripRow] = []
        switch reference {
        case .last:
            try scanTrips(store, isDescending: true) { row in
                if row.booked.status == .active || row.booked.counts { found = [row] }
                return found.isEmpty
            }
        case .active:
            try scanTrips(store, isDescending: true) { row in
                if row.booked.status == .active { found = [row] }
                return found.isEmpty
            }
        case .prefix(let digits):
            try scanTrips(store, withPrefix: digits) { row in
                found.append(row)
                return found.count < Self.shownCandidates
            }
        }
        guard let row = found.first else { throw Self.noTrip(reference, at: path.string) }
        guard found.count == 1 else {
            let ids = found.map { String($0.trip.id.description.prefix(12)) }
            throw LedgerError(
                .notFound,
                at: path.string,
                cause: "several trips have an id like that: \(ids.joined(separator: ", "))",
                hint: "Give more of its digits"
            )
        }
        return row
    }

    /// Returns a trip from the view of trips; `nil` if there is none.
    static func tripRow(_ id: TripID, in store: ViewStore) throws -> TripRow? {
        guard let orderKey = try store.value(.trips, TripRow.key(of: id)) else { return nil }
        return try tripRow(inOrder: orderKey, in: store)
    }

    /// Returns the trip that stands at an order key.
    static func tripRow(inOrder orderKey: [UInt8], in store: ViewStore) throws -> TripRow {
        guard let row = try store.value(.tripsInOrder, orderKey) else {
            throw StaleViews.damaged("the list of trips lacks a row")
        }
        return try StaleViews.takingDamage { try TripRow(decoding: row) }
    }

    private static let shownCandidates = 5

    private static func noTrip(_ reference: TripReference, at place: String) -> LedgerError {
        let hint = "List all trips with `ledger trips --all`"
        switch reference {
        case .last:
            return LedgerError(
                .notFound,
                at: place,
                cause: "there is no trip that counts",
                hint: hint
            )
        case .active: return LedgerError(.notFound, at: place, cause: "no trip is going on")
        case .prefix(let digits):
            return LedgerError(
                .notFound,
                at: place,
                cause: "no trip has an id that begins with \(digits)",
                hint: hint
            )
        }
    }
}
