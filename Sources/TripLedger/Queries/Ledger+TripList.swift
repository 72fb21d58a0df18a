import EventStore
import Proofs
import SystemPackage
import TotalsProjection
import TripEvents
import TripTracking
public import TripsProjection

extension Ledger {
    /// Returns trips in order of their starts, from views that are brought up to date before.
    ///
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`.
    public func trips(_ filter: TripFilter = TripFilter()) throws(LedgerError) -> [TripRow] {
        try withViews { try trips(filter, in: $0) }
    }

    /// Hands over trips in order of their starts, from views that are brought up to date before,
    /// until `body` returns `false`; those of a whole ledger take no memory.
    ///
    /// - Returns: The head of the log that the trips were made from.
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`, and
    /// what `body` throws.
    @discardableResult
    public func readTrips(
        _ filter: TripFilter = TripFilter(),
        _ body: (TripRow) throws -> Bool
    ) throws -> LedgerHead {
        // What the caller's code throws is the caller's, and goes back to it as it is.
        var interruption: (any Error)?
        let head = try withViews { store in
            let head = try self.head(of: store)
            let keys = try orderKeys(of: filter, in: store)
            // Nothing is handed over that would have to be taken back.
            try store.requireSound(.tripsInOrder, in: keys)
            try scanTrips(store, filter, in: keys) { row in
                do {
                    return try body(row)
                } catch {
                    interruption = error
                    return false
                }
            }
            return head
        }
        if let interruption { throw interruption }
        return head
    }

    private func trips(_ filter: TripFilter, in store: ViewStore) throws -> [TripRow] {
        var trips: [TripRow] = []
        try scanTrips(store, filter, in: orderKeys(of: filter, in: store)) { row in
            trips.append(row)
            return true
        }
        return trips
    }

    /// Walks over the trips of a filter, which stand in a range.
    private func scanTrips(
        _ store: ViewStore,
        _ filter: TripFilter,
        in keys: ViewKeyRange,
        _ body: (TripRow) throws -> Bool
    ) throws {
        var left = filter.limit ?? .max
        guard left > 0 else { return }
        try scanTrips(store, in: keys, isDescending: !filter.isOldestFirst) { row in
            guard filter.includes(row.booked) else { return true }
            left -= 1
            return try body(row) && left > 0
        }
    }

    /// Walks over the trips whose order keys lie in a range.
    func scanTrips(
        _ store: ViewStore,
        in keys: ViewKeyRange = .all,
        isDescending: Bool,
        _ body: (TripRow) throws -> Bool
    ) throws {
        try store.scanValues(.tripsInOrder, in: keys, isDescending: isDescending) { row in
            try body(try decoded(row))
        }
    }

    /// Walks over the trips whose ids begin with hexadecimal digits.
    func scanTrips(
        _ store: ViewStore,
        withPrefix digits: String,
        _ body: (TripRow) throws -> Bool
    ) throws {
        let padded = digits + String(repeating: "0", count: 32 - digits.utf8.count)
        guard let lowest = TripID(padded) else { return }
        let keys = ViewKeyRange(from: TripRow.key(of: lowest))
        try store.scan(.trips, in: keys) { key, orderKey in
            guard ViewKey.hexadecimal(key).hasPrefix(digits) else { return false }
            return try body(try Self.tripRow(inOrder: orderKey, in: store))
        }
    }

    /// Returns the head that the log had when stored views read it last; it may have grown since.
    func head(of store: ViewStore) throws -> LedgerHead {
        let size = try validCursor(of: store).size
        let head = try log.head()
        guard size != head.size else { return LedgerHead(head) }
        return LedgerHead(size: size, root: try LogTree(log).root(atSize: size).description)
    }

    /// Returns where the trips of a filter stand.
    private func orderKeys(of filter: TripFilter, in store: ViewStore) throws -> ViewKeyRange {
        var keys = ViewKeyRange.all
        if let instants = filter.period?.instants {
            keys.from = TripRow.orderKey(from: instants.lowerBound)
            keys.upTo = TripRow.orderKey(from: instants.upperBound)
        }
        guard let after = filter.after else { return keys }
        let last = try trip(after, in: store).orderKey
        if filter.isOldestFirst {
            keys.from = ViewKeyRange.later(keys.from, last + [0])
        } else {
            keys.upTo = ViewKeyRange.earlier(keys.upTo, last)
        }
        return keys
    }

    private func decoded(_ row: [UInt8]) throws -> TripRow {
        try StaleViews.takingDamage { try TripRow(decoding: row) }
    }
}
