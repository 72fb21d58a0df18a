import LedgerRows
import Synchronization
import TripLedger

/// The last requested relations of trips.
///
/// Computing them takes a look at all trips, so they are kept until trips change. They depend only
/// on the log and on the instant at which time alone last ended a trip.
final class KnownRelations: Sendable {
    private struct Known: Sendable {
        var head: LedgerHead
        var end: Timestamp?
        var relations: TripRelations
    }

    private let known = Mutex(PerSight<Known>())

    /// Returns the relations among the trips of a snapshot that are seen.
    ///
    /// - Throws: `LedgerError`.
    func relations(in snapshot: borrowing Snapshot) throws(LedgerError) -> TripRelations {
        let (head, end) = (snapshot.head, try snapshot.latestEndByTime())
        let sight = snapshot.sight
        let known = known.withLock { $0[sight] }
        if let known, known.head == head, known.end == end { return known.relations }
        let relations = try TripRelations(in: snapshot)
        self.known.withLock {
            $0[sight] = Known(head: head, end: end, relations: relations)
        }
        return relations
    }
}
