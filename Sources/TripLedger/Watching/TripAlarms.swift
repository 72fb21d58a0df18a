import Projections
import TripEvents
import TripTracking

/// What about a trip that goes on calls for the driver's attention.
struct TripAlarms {
    /// The trip.
    let trip: BookedTrip

    /// What is to be told, and since when that is so.
    let since: [LedgerNotification.Kind: EventTime]

    /// Finds what calls for attention in what a source is doing, or returns `nil` between trips.
    init?(_ source: LedgerStatus.Source) {
        guard let trip = source.bookedTrip else { return nil }
        self.trip = trip
        let live = source.live
        let offset = trip.trip.startedAt.utcOffset
        var since: [LedgerNotification.Kind: EventTime] = [:]
        if live.isSignalLost, let lostAt = live.since {
            since[.signalLost] = EventTime(lostAt, utcOffset: offset)
        }
        if live.phase == .recovering, let backAt = live.since {
            since[.recovering] = EventTime(backAt, utcOffset: offset)
        }
        if live.asksStillRecording, let rest = live.restMilliseconds {
            let restedAt = source.instant.advanced(byMilliseconds: -rest)
            since[.stillRecording] = EventTime(restedAt, utcOffset: offset)
        }
        self.since = since
    }
}
