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
        let head = try withSoundTrips(filter) { store, keys in
            try scanTrips(store, filter, in: keys) { row in
                do {
                    return try body(row)
                } catch {
                    interruption = error
                    return false
                }
            }
        }
        if let interruption { throw interruption }
        return head
    }

    /// Hands over what a thread of its own makes of trips, a batch of many trips at a time, while
    /// that goes on with the next; apart from that as ``readTrips(_:_:)``.
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - empty: A batch without trips.
    ///   - add: Adds a trip to a batch; the other thread calls it.
    ///   - body: Takes what is in a batch, and MUST leave it without trips.
    /// - Returns: The head of the log that the trips were made from.
    /// - Throws: What the other throws.
    @discardableResult
    public func readTrips<Batch: Sendable>(
        _ filter: TripFilter,
        inBatches empty: Batch,
        adding add: @escaping @Sendable (TripRow, inout Batch) -> Void,
        _ body: (inout Batch) throws -> Void
    ) throws -> LedgerHead {
        var interruption: (any Error)?
        let head = try withSoundTrips(filter) { store, keys in
            let reader = TripReader(empty) { [self] take in
                try scanTrips(store, filter, in: keys, take)
            }
            try reader.read(adding: add) { batch in
                do {
                    try body(&batch)
                    return true
                } catch {
                    interruption = error
                    return false
                }
            }
        }
        if let interruption { throw interruption }
        return head
    }

    /// Lends the views once it is sure that the rows of some trips are what was written: nothing
    /// is handed over that would have to be taken back.
    private func withSoundTrips(
        _ filter: TripFilter,
        _ body: (ViewStore, ViewKeyRange) throws -> Void
    ) throws -> LedgerHead {
        try withViews { store in
            let head = try self.head(of: store)
            let keys = try orderKeys(of: filter, in: store)
            try store.requireSound(.tripsInOrder, in: keys)
            try body(store, keys)
            return head
        }
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
    func orderKeys(of filter: TripFilter, in store: ViewStore) throws -> ViewKeyRange {
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
