import EventStore
import Projections
import SystemPackage
import TripEvents
import TripTracking
public import TripsProjection

extension Ledger {
    /// Returns trips, newest first, from views that are brought up to date before.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func trips(_ filter: TripFilter = TripFilter()) throws(LedgerError) -> [TripRow] {
        try withViews { store in
            var trips: [TripRow] = []
            try scanTrips(store) { row in
                let isActive = row.booked.status == .active
                if filter.includesUncounted || isActive || row.booked.counts { trips.append(row) }
                return filter.limit.map { trips.count < $0 } ?? true
            }
            return filter.limit == 0 ? [] : trips
        }
    }

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
            try scanTrips(store) { row in
                if row.booked.status == .active || row.booked.counts { found = [row] }
                return found.isEmpty
            }
        case .active:
            try scanTrips(store) { row in
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
        let key = TripRow.key(of: id)
        guard let stored = try store.value(.trips, key) else { return nil }
        guard let row = ViewRows.row(key: key, stored: stored) else {
            throw StaleViews(sentence: "the view of trips is damaged")
        }
        return try decoded(row.value)
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

    /// Walks over all trips, newest first.
    private func scanTrips(_ store: ViewStore, _ body: (TripRow) throws -> Bool) throws {
        try store.scan(.tripsInOrder, from: nil, isDescending: true) { _, key in
            guard let stored = try store.value(.trips, key),
                let row = ViewRows.row(key: key, stored: stored)
            else { throw StaleViews(sentence: "the view of trips is damaged") }
            return try body(try Self.decoded(row.value))
        }
    }

    /// Walks over the trips whose ids begin with hexadecimal digits.
    private func scanTrips(
        _ store: ViewStore,
        withPrefix digits: String,
        _ body: (TripRow) throws -> Bool
    ) throws {
        let padded = digits + String(repeating: "0", count: 32 - digits.utf8.count)
        guard let lowest = TripID(padded) else { return }
        try store.scan(.trips, from: TripRow.key(of: lowest)) { key, stored in
            guard ViewKey.hexadecimal(key).hasPrefix(digits) else { return false }
            guard let row = ViewRows.row(key: key, stored: stored) else {
                throw StaleViews(sentence: "the view of trips is damaged")
            }
            return try body(try Self.decoded(row.value))
        }
    }

    private static func decoded(_ value: [UInt8]) throws -> TripRow {
        guard let row = try? TripRow(decoding: value) else {
            throw StaleViews(sentence: "the view of trips is damaged")
        }
        return row
    }
}
