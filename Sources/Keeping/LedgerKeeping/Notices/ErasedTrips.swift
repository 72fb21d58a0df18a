import Projections
package import TripEvents
package import TripLedger
import TripTracking

/// The trips that there are after erasures, and those that these reached.
package struct ErasedTrips {
    private let there: Set<TripID>
    private let reached: Set<TripID>

    /// Joins the trips that are `there` and those of which an erasure has `reached` events.
    init(there: Set<TripID>, reached: Set<TripID>) {
        self.there = there
        self.reached = reached
    }

    /// Returns whether a trip is there.
    func areThere(_ trip: TripID) -> Bool { there.contains(trip) }

    /// Returns whether news of a trip, as the views had it before, may tell what was erased.
    ///
    /// A trip that was withdrawn is never there, whether something of it was erased or not.
    package func mayConcern(_ kind: LedgerNotification.Kind, of trip: TripID) -> Bool {
        kind == .tripWithdrawn ? reached.contains(trip) : !there.contains(trip)
    }

    /// Returns whether a notice that waits may tell what was erased: that of such a trip, of a
    /// visit, or of a drive that only an odometer saw.
    func mayConcern(notice json: [UInt8]) -> Bool {
        let members = JSONMembers(json.span)
        let kind = members?.text("notification").flatMap(LedgerNotification.Kind.init)
        guard let kind, let trip = members?.text("trip") else {
            return kind == .odometerOnly || members?.text("command") == nil
        }
        return TripID(trip).map { reached.contains($0) || mayConcern(kind, of: $0) } ?? true
    }
}
