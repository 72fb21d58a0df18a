public import Projections
import TripsProjection

extension Ledger {
    /// Makes parts of trips, from views that are brought up to date before; two threads make them,
    /// each of another stretch of time.
    ///
    /// Nothing is handed over before all rows were found to be what was written.
    ///
    /// - Parameters:
    ///   - filter: Which trips; it MUST have no limit, and its order does not matter.
    ///   - empty: A part without trips.
    ///   - add: Adds a trip to a part, which gets them in order of their starts; any of the threads
    ///     calls it.
    /// - Returns: The parts in order of time, and the head of the log that they were made from.
    /// - Throws: `.notFound` if there is no trip to go on after; `.damaged`, `.inputOutput`.
    public func gatherTrips<Part: Sendable>(
        _ filter: TripFilter,
        inParts empty: Part,
        adding add: @escaping @Sendable (borrowing BookedTrip, inout Part) -> Void
    ) throws(LedgerError) -> (parts: [Part], head: LedgerHead) {
        precondition(filter.limit == nil, "parts are made of all trips of a filter")
        return try withViews { store in
            let head = try self.head(of: store)
            let reader = SliceReader(store, .tripsInOrder, empty) { value, part in
                let booked = try TripRow.bookedTrip(decoding: value)
                Self.pass(booked, through: filter, to: &part, by: add)
            }
            return (try reader.parts(in: orderKeys(of: filter, in: store)), head)
        }
    }
    // A function, for a trip that it borrows is not copied on its way.
    private static func pass<Part>(
        _ booked: borrowing BookedTrip,
        through filter: TripFilter,
        to part: inout Part,
        by add: (borrowing BookedTrip, inout Part) -> Void
    ) {
        if filter.includes(booked) { add(booked, &part) }
    }
}
