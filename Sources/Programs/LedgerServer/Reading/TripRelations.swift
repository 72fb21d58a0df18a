import Synchronization
import TripLedger

/// The relations of trips: the ways between them that nothing recorded, and the trips that overlap.
///
/// That takes a look at all trips, so it is kept until other trips are there. It is a function of
/// the log and of the instant at which time alone last ended a trip.
final class TripRelations: Sendable {
    /// The relations of all trips.
    struct Relations: Sendable {
        /// The straight line of the way before a trip that nothing recorded.
        var unrecorded: [TripID: Distance]

        /// The trips that overlap others.
        var overlaps: TripOverlaps
    }

    private struct Known: Sendable {
        var head: LedgerHead
        var end: Timestamp?
        var relations: Relations
    }

    private let known = Mutex(PerSight<Known>())

    /// Returns the relations of the trips of a snapshot: of those that are seen to one another.
    ///
    /// - Throws: `LedgerError`.
    func relations(in snapshot: borrowing Snapshot) throws(LedgerError) -> Relations {
        let (head, end) = (snapshot.head, try snapshot.latestEndByTime())
        let sight = snapshot.sight
        let known = known.withLock { $0[sight] }
        if let known, known.head == head, known.end == end { return known.relations }
        let (unrecorded, overlaps) = try snapshot.relateTrips(into: [TripID: Distance]()) {
            $0[$1.later.trip] = $1.distance
        }
        let relations = Relations(unrecorded: unrecorded, overlaps: overlaps)
        self.known.withLock {
            $0[sight] = Known(head: head, end: end, relations: relations)
        }
        return relations
    }
}
