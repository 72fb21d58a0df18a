import Projections
import TripEvents
import TripTracking

extension LedgerNotification {
    /// Returns what is told of a trip that has changed.
    ///
    /// People's decisions are not told, for whoever made them knows: details, merges, voided
    /// trips, and trips that were reported as a whole.
    static func kinds(from old: BookedTrip?, to new: BookedTrip?) -> [Kind] {
        guard let known = new ?? old, known.trip.startedBy != .report else { return [] }
        guard let new else { return [.tripWithdrawn] }
        let isOver = new.trip.status != .active
        guard let old else { return isOver ? [.tripStarted, .tripEnded] : [.tripStarted] }
        switch (old.trip.status != .active, isOver) {
        case (false, false): return []
        case (false, true): return [.tripEnded]
        case (true, false): return [.tripResumed]
        case (true, true): return hasSameEnd(old, new) ? [] : [.tripEnded]
        }
    }

    private static func hasSameEnd(_ old: BookedTrip, _ new: BookedTrip) -> Bool {
        old.parts != new.parts
            || old.trip.status == new.trip.status && old.trip.endedAt == new.trip.endedAt
                && old.trip.distance == new.trip.distance && old.trip.gaps == new.trip.gaps
    }

    /// Returns when what is told of a trip that has changed came about.
    static func time(of kind: Kind, _ trip: Trip, foundAt: Timestamp) -> EventTime {
        switch kind {
        case .tripStarted: trip.startedAt
        case .tripEnded: trip.endedAt ?? trip.startedAt
        default: EventTime(foundAt, utcOffset: trip.startedAt.utcOffset)
        }
    }
}
