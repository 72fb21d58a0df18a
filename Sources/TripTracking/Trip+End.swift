import Geodesy
import TripEvents

extension Trip {
    /// Ends the trip; without any position it is none, and nor is it if nobody pressed GO, it did
    /// not get anywhere, and nobody said that it was a part of another trip.
    mutating func end(
        at end: Coordinate?,
        _ endedAt: EventTime,
        by cause: TripCause,
        rules: TrackingRules
    ) {
        self.end = end
        self.endedAt = endedAt
        endedBy = cause
        if cause.isLastResort {
            flags.insert(.autoStopped)
        }
        if start == nil {
            abandon(because: .noPosition)
        } else if !startedBy.isPersonal, cause != .split,
            distance + gaps.distance < rules.shortestTrip
        {
            abandon(because: .falseStart)
        } else {
            status = .completed
        }
    }

    /// Says that the trip came to nothing.
    mutating func abandon(because reason: AbandonReason) {
        status = .abandoned
        abandonReason = reason
    }
}
