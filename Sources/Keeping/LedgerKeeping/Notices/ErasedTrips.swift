import Projections
package import TripEvents
import TripLedger
import TripTracking

/// The trips that there are after erasures, and those that have lost events.
package struct ErasedTrips {
    private let there: Set<TripID>
    private let shortened: Set<TripID>

    /// Joins the trips that are `there` and those of them that erasures have `shortened`.
    init(there: Set<TripID>, shortened: Set<TripID>) {
        self.there = there
        self.shortened = shortened
    }

    /// Returns whether news of a trip, as the views had it before, may tell what was erased: it is
    /// gone.
    ///
    /// That it was withdrawn, too, is told with all that the trip was. Late data may have replaced
    /// it before, but nothing says of which of its events the content is still there.
    package func mayConcern(_ trip: TripID) -> Bool { !there.contains(trip) }

    /// Returns whether a notice that waits may tell what was erased: that of a trip that is gone or
    /// shortened, of a visit, or of a drive that only an odometer saw.
    func mayConcern(notice json: [UInt8]) -> Bool {
        let members = JSONMembers(json.span)
        guard let trip = members?.text("trip") else {
            return members?.text("notification") == LedgerNotification.Kind.odometerOnly.rawValue
                || members?.text("command") == nil
        }
        return TripID(trip).map { shortened.contains($0) || mayConcern($0) } ?? true
    }
}
