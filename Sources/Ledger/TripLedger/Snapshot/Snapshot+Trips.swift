public import Projections
import SystemPackage
public import TripEvents
import TripTracking
public import TripsProjection

extension Snapshot {
    /// Returns the trip that a person named.
    ///
    /// - Throws: `.notFound` if there is none, or more than one; `.damaged`, `.inputOutput`.
    public func trip(_ reference: TripReference) throws(LedgerError) -> TripRow {
        try asking { try store.trip(reference, of: path) }
    }

    /// Returns trips in order of their starts.
    ///
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`.
    public func trips(_ filter: TripFilter = TripFilter()) throws(LedgerError) -> [TripRow] {
        try asking {
            var trips: [TripRow] = []
            try store.scanTrips(filter, in: store.orderKeys(of: filter, at: path)) { row in
                trips.append(row)
                return true
            }
            return trips
        }
    }

    /// Hands over trips in order of their starts, until `body` returns `false`.
    ///
    /// Without a limit they take no memory, however many they are.
    ///
    /// ```swift
    /// try snapshot.readTrips { trip in
    ///     print(trip.trip.id, trip.trip.distance)
    ///     return true
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - filter: Which trips.
    ///   - begin: Runs before the first trip, once all rows were found to be what was written. From
    ///     then on nothing is read twice, so that what is printed stays true.
    ///   - body: Takes a trip, and returns whether to go on.
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`, and
    ///   what `begin` and `body` throw.
    public func readTrips(
        _ filter: TripFilter = TripFilter(),
        _ begin: () throws -> Void = {},
        forEach body: (TripRow) throws -> Bool
    ) throws {
        guard filter.limit == nil else {
            let trips = try trips(filter)
            noteHandingOver()
            try begin()
            for trip in trips { guard try body(trip) else { return } }
            return
        }
        let keys = try asking {
            let keys = try store.orderKeys(of: filter, at: path)
            try store.requireSound(.tripsInOrder, in: keys)
            return keys
        }
        noteHandingOver()
        try begin()
        // An error that the caller's code throws goes back to the caller unchanged.
        var interruption: (any Error)?
        try asking {
            try store.scanTrips(filter, in: keys) { row in
                do {
                    return try body(row)
                } catch {
                    interruption = error
                    return false
                }
            }
        }
        if let interruption { throw interruption }
    }

    /// Returns when time alone last ended a trip, at the latest at the instant to which it has
    /// passed; `nil` if there is no such trip whose source has reported nothing since.
    ///
    /// At every instant from there to the present the same trips are over. So a program that
    /// computes a figure again lets time pass to this instant, and needs to know no other.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func latestEndByTime() throws(LedgerError) -> Timestamp? {
        try asking {
            let keys = ViewKeyRange(upTo: ViewKey.end(at: passedTo.advanced(byMilliseconds: 1)))
            var latest: Timestamp?
            try store.scan(.ends, in: keys, isDescending: true) { key, _ in
                latest = ViewKey.end(of: key).at
                return false
            }
            return latest
        }
    }

    /// Returns every change that people made to a trip, in event order.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func history(of trip: TripID) throws(LedgerError) -> [TripAmendment] {
        let history = try asking { try TripBook(over: store).history(of: trip) }
        guard store.sight.isWalled else { return history }
        let seen = Set(try decisions(about: trip).map(\.order.identity))
        return history.filter { seen.contains($0.decision) }
    }

    /// Returns the decisions that have no effect, in event order: those about trips that are not
    /// there and that no trip at their time could take over, and those that cannot stand.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func decisionsWithoutEffect() throws(LedgerError) -> [DecisionWithoutEffect] {
        try asking { try TripBook(over: store).decisionsWithoutEffect(beside: settings) }
    }

    /// Returns those of the decisions at some positions that have no effect, in event order, each
    /// with its position.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func decisionsWithoutEffect(
        at positions: [UInt64]
    ) throws(LedgerError) -> [(position: UInt64, decision: DecisionWithoutEffect)] {
        guard !positions.isEmpty else { return [] }
        let all = try decisionsWithoutEffect()
        guard !all.isEmpty else { return [] }
        return try asking {
            var known: [IdentityDigest: UInt64] = [:]
            for position in positions {
                guard let stored = try log.storedEvent(at: position) else { continue }
                known[stored.identity] = position
            }
            return all.compactMap { decision in
                known[decision.decision.order.identity].map { ($0, decision) }
            }
        }
    }

    /// Returns whether splitting a trip at an instant would make two of it.
    ///
    /// It would not before the trip's first position, and not after it has last moved.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func canSplit(_ trip: TripID, at instant: Timestamp) throws(LedgerError) -> Bool {
        try asking {
            guard let row = try store.tripRow(trip) else { return false }
            var explainer = TripExplainer(trackers(), upTo: head.size)
            return try explainer.canDivide(row.trip, at: instant)
        }
    }

    /// Returns a trip and those that splits of it have made, in order of their starts.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func parts(ofSplit trip: TripID) throws(LedgerError) -> [TripRow] {
        try asking {
            let splits = try TripBook(over: store).standingSplits(of: trip)
            return try ([trip] + splits.compactMap(\.madeTrip))
                .compactMap { try store.tripRow($0) }
                .sorted { $0.orderKey.lexicographicallyPrecedes($1.orderKey) }
        }
    }
}

/// A place in the list of trips, newest first: just after a start and an id, whether there is a
/// trip with these or not.
package struct TripListPosition: Hashable, Sendable {
    /// The order key of the trip before it.
    fileprivate let orderKey: [UInt8]

    /// The place as text that says nothing to those who keep it.
    package var text: String { ViewKey.hexadecimal(orderKey) }

    fileprivate init(after row: TripRow) {
        orderKey = row.orderKey
    }

    /// Reads a text, or returns `nil` if it is not one that ``text`` gave.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard pair.utf8.allSatisfy(Self.isDigit), let byte = UInt8(pair, radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        orderKey = bytes
    }

    /// A start and an id.
    private static let byteCount = 24

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// Some of the trips of a filter, newest first.
package struct TripPage: Sendable {
    /// The trips.
    package fileprivate(set) var rows: [TripRow] = []

    /// The position at which the list goes on; `nil` if there are no more trips.
    package fileprivate(set) var next: TripListPosition?
}

extension Snapshot {
    /// Returns the next trips of a list, newest first.
    ///
    /// The list is in order of start and id. A reader who asks for one page after the other, each
    /// from where the last one ended, gets every trip that was there all the time, once, whatever
    /// is appended meanwhile.
    ///
    /// - Parameters:
    ///   - filter: Which trips, and how many at most; its `after` and `isOldestFirst` are not
    ///     looked at.
    ///   - position: Where the list goes on; `nil` to begin.
    ///   - mostRows: How many rows are looked at, so that a filter which lets few trips through
    ///     costs no more time than others: the page may have fewer trips than asked for, or none,
    ///     although there are more.
    /// - Returns: The trips.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func tripPage(
        _ filter: TripFilter,
        after position: TripListPosition?,
        mostRows: Int
    ) throws(LedgerError) -> TripPage {
        var filter = filter
        filter.after = nil
        filter.isOldestFirst = false
        return try asking {
            var keys = try store.orderKeys(of: filter, at: path)
            if let position { keys.upTo = ViewKeyRange.earlier(keys.upTo, position.orderKey) }
            var page = TripPage()
            var rowCount = 0
            var last: TripRow?
            try store.scanTrips(in: keys, isDescending: true) { row in
                if page.rows.count == filter.limit ?? .max || rowCount == mostRows {
                    page.next = last.map { TripListPosition(after: $0) } ?? position
                    return false
                }
                rowCount += 1
                last = row
                if filter.includes(row.booked) { page.rows.append(row) }
                return true
            }
            return page
        }
    }
}
