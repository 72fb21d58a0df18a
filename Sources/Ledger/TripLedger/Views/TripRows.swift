import Projections
import SystemPackage
import TripEvents
import TripTracking
import TripsProjection

// The view of trips: found by id, listed by start.
extension ReadableViews {
    private static let shownCandidates = 5

    /// Returns the trip that a person named.
    ///
    /// - Parameters:
    ///   - reference: What the person said.
    ///   - path: The ledger's directory, for errors.
    /// - Returns: The only trip that this can mean.
    /// - Throws: `LedgerError` with `.notFound` if there is none, or more than one; `StaleViews`,
    ///   `LMDBError`.
    func trip(_ reference: TripReference, of path: FilePath) throws -> TripRow {
        var found: [TripRow] = []
        switch reference {
        case .last:
            try scanTrips(isDescending: true) { row in
                if row.booked.status == .active || row.booked.counts { found = [row] }
                return found.isEmpty
            }
        case .active:
            try scanTrips(isDescending: true) { row in
                if row.booked.status == .active { found = [row] }
                return found.isEmpty
            }
        case .prefix(let digits):
            try scanTrips(withPrefix: digits) { row in
                found.append(row)
                return found.count < Self.shownCandidates
            }
        }
        guard let row = found.first else { throw Self.noTrip(reference, at: path.string) }
        guard found.count == 1 else {
            let ids = found.map { String($0.trip.id.description.prefix(12)) }
            throw LedgerError(
                .ambiguous,
                at: path.string,
                cause: "several trips have an id like that: \(ids.joined(separator: ", "))",
                hint: "Give more of its digits"
            )
        }
        return row
    }

    /// Returns the row of a trip; `nil` if there is none that is seen.
    func tripRow(_ id: TripID) throws -> TripRow? {
        guard let row = try storedTripRow(id), try isSeen(row.booked) else { return nil }
        return row
    }

    /// Returns a trip as it stands for itself: of a merged one that shows the figures of all parts,
    /// its own; `nil` if there is none.
    func part(_ id: TripID) throws -> Trip? { try tripRow(id).flatMap { try part(of: $0) } }

    /// Returns the trip of a row as it stands for itself, without the parts whose figures it shows.
    func part(of row: TripRow) throws -> Trip? {
        guard !row.booked.parts.isEmpty, row.trip.startedBy != .report else { return row.trip }
        return try TripBook(over: self).measured(row.trip.id).map { TripRow($0).trip }
    }

    /// Returns whether there is a trip, whether it is seen or not.
    func hasTrip(_ id: TripID) throws -> Bool { try storedTripRow(id) != nil }

    /// Returns the row of a trip, for any asker; `nil` if there is none.
    private func storedTripRow(_ id: TripID) throws -> TripRow? {
        guard let orderKey = try value(.trips, TripRow.key(of: id)) else { return nil }
        return try tripRow(inOrder: orderKey)
    }

    /// Returns whether a trip is seen: with all its parts, or with all of the trip that it is a
    /// part of.
    func isSeen(_ booked: borrowing BookedTrip) throws -> Bool {
        guard !sight.isEverything else { return true }
        guard isSeen(booked.trip) else { return false }
        var parts = booked.shownTrips
        if let lead = booked.mergedInto {
            guard let whole = try storedTripRow(lead)?.booked, isSeen(whole.trip) else {
                return false
            }
            parts = whole.shownTrips
        }
        return try parts.allSatisfy { try storedTripRow($0).map { isSeen($0.trip) } ?? true }
    }

    private func isSeen(_ ends: TripEnds) throws -> Bool {
        guard !sight.isEverything else { return true }
        return try sight.sees(ends.source, of: ends.group) && tripRow(ends.trip) != nil
    }

    private func isSeen(_ trip: Trip) -> Bool { sight.sees(trip.source, of: trip.group) }

    /// Walks over the trips of a filter, whose order keys lie in a range, until `body` returns
    /// `false`.
    func scanTrips(
        _ filter: TripFilter,
        in keys: ViewKeyRange,
        _ body: (TripRow) throws -> Bool
    ) throws {
        var left = filter.limit ?? .max
        guard left > 0 else { return }
        try scanTrips(in: keys, isDescending: !filter.isOldestFirst) { row in
            guard filter.includes(row.booked) else { return true }
            left -= 1
            return try body(row) && left > 0
        }
    }

    /// Walks over the trips that are seen and whose order keys lie in a range, until `body` returns
    /// `false`.
    func scanTrips(
        in keys: ViewKeyRange = .all,
        isDescending: Bool,
        _ body: (TripRow) throws -> Bool
    ) throws {
        try scanValues(.tripsInOrder, in: keys, isDescending: isDescending) { row in
            let row = try Self.decoded(row)
            return try isSeen(row.booked) ? try body(row) : true
        }
    }

    /// Walks over the ends of the trips that are seen, in order of their starts.
    func scanTripEnds(in keys: ViewKeyRange = .all, _ body: (TripEnds) throws -> Void) throws {
        try scanValues(.tripEnds, in: keys) { row in
            let ends = try StaleViews.takingDamage { try TripEndsRow(decoding: row) }.ends
            if try isSeen(ends) { try body(ends) }
            return true
        }
    }

    /// Walks over the ways between trips that nothing recorded, in order of the starts of the trips
    /// after them, and returns which trips overlap.
    ///
    /// All trips are looked at: nothing says how long ago a vehicle was driven last.
    func relateTrips(_ body: (UnrecordedWay) throws -> Void) throws -> TripOverlaps {
        var ways = UnrecordedWays()
        var search = OverlapSearch()
        try scanTripEnds { ends in
            if let way = ways.take(ends) { try body(way) }
            try StaleViews.takingDamage { try search.take(ends) }
        }
        var overlaps = search.overlaps()
        for overlap in overlaps.all where overlap.isLeftOut {
            overlaps.give(detailsOf: try bookedTrip(at: overlap.ends))
        }
        return overlaps
    }

    /// Returns the trip that has some ends.
    func bookedTrip(at ends: TripEnds) throws -> BookedTrip {
        guard let row = try value(.tripsInOrder, TripEndsRow(ends).key) else {
            throw StaleViews.damaged("a trip that overlaps is missing")
        }
        return try Self.decoded(row).booked
    }

    /// Returns where the trips of a filter stand.
    ///
    /// - Throws: `LedgerError` with `.notFound` if there is no trip to go on after; `StaleViews`,
    ///   `LMDBError`.
    func orderKeys(of filter: TripFilter, at path: FilePath) throws -> ViewKeyRange {
        var keys = ViewKeyRange.all
        if let instants = filter.period?.instants {
            keys.from = TripRow.orderKey(from: instants.lowerBound)
            keys.upTo = TripRow.orderKey(from: instants.upperBound)
        }
        guard let after = filter.after else { return keys }
        let last = try trip(after, of: path).orderKey
        if filter.isOldestFirst {
            keys.from = ViewKeyRange.later(keys.from, last + [0])
        } else {
            keys.upTo = ViewKeyRange.earlier(keys.upTo, last)
        }
        return keys
    }

    /// Walks over the trips whose ids begin with hexadecimal digits.
    private func scanTrips(
        withPrefix digits: String,
        _ body: (TripRow) throws -> Bool
    ) throws {
        let padded = digits + String(repeating: "0", count: 32 - digits.utf8.count)
        guard let lowest = TripID(padded) else { return }
        let keys = ViewKeyRange(from: TripRow.key(of: lowest))
        try scan(.trips, in: keys) { key, orderKey in
            guard ViewKey.hexadecimal(key).hasPrefix(digits) else { return false }
            let row = try tripRow(inOrder: orderKey)
            return try isSeen(row.booked) ? try body(row) : true
        }
    }

    private func tripRow(inOrder orderKey: [UInt8]) throws -> TripRow {
        guard let row = try value(.tripsInOrder, orderKey) else {
            throw StaleViews.damaged("the list of trips lacks a row")
        }
        return try Self.decoded(row)
    }

    private static func decoded(_ row: [UInt8]) throws -> TripRow {
        try StaleViews.takingDamage { try TripRow(decoding: row) }
    }

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
