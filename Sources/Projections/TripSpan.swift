import TripEvents
import TripTracking

/// The time that a measured trip takes, for finding the trip under way at an instant: from its
/// start to its end, at most two days.
struct TripSpan: Hashable {
    /// When the trip started.
    let start: Timestamp

    /// The last instant of the span.
    let end: Timestamp

    /// Creates the span of a trip; an active one has no end yet.
    init(_ trip: Trip) {
        start = trip.startedAt.timestamp
        let limit = start.advanced(byMilliseconds: BookKey.reachHours * 3_600_000)
        end = trip.endedAt.map { min($0.timestamp, limit) } ?? limit
    }

    /// The periods that the span touches (see ``BookKey``).
    var periods: ClosedRange<Int64> {
        let first = BookKey.period(of: start)
        return first...max(first, BookKey.period(of: end))
    }

    /// Returns whether an instant lies in the span.
    func contains(_ instant: Timestamp) -> Bool {
        start <= instant && instant <= end
    }
}
