public import Projections
import TripTracking

/// A trip that had ended, and that is another one now.
public struct ChangedTrip: Hashable, Sendable {
    /// The trip as the earlier entries gave it.
    public var before: BookedTrip

    /// The trip as it is now; `nil` if there is none any more.
    public var now: BookedTrip?

    /// How many fixes between its start and its end came in since.
    public var lateFixes: UInt64

    /// Whether times, distances, status or class are others than before.
    var hasOtherFigures: Bool {
        guard let now else { return true }
        return before.trip.startedAt != now.trip.startedAt
            || before.trip.endedAt != now.trip.endedAt
            || before.trip.distance != now.trip.distance
            || before.trip.gaps != now.trip.gaps
            || before.claimedDistance != now.claimedDistance
            || before.status != now.status
            || before.mergedInto != now.mergedInto
            || before.tripClass != now.tripClass
    }
}
