public import Projections
public import TripEvents
import TripTracking

/// The private trips for which a report shows only the days and kilometres.
///
/// It leaves out what ``MileageLog/hidesPrivate`` leaves out of a line: places, times, purposes,
/// clients and all else that people wrote.
public struct HiddenTrips: Sendable {
    /// The changes of a hidden trip that reports show, by the names in JSON.
    public static let shownFields: Set<String> = [
        "class", "vehicle", "status", "distance_m", "merged",
    ]

    /// The members of a hidden trip's expense that reports show, by the names in JSON.
    public static let shownExpenseFields: Set<String> = [
        "amount", "currency", "day", "kind", "quantity", "quantity_unit", "trip", "vehicle", "void",
    ]

    private var trips: Set<TripID> = []
    private var parts: [TripID: TripID] = [:]
    private var spans: [(from: Timestamp, to: Timestamp)] = []

    /// Creates an empty list.
    public init() {}

    /// Whether a trip is private: the rule of every report.
    public static func isPrivate(_ booked: borrowing BookedTrip) -> Bool {
        booked.tripClass == .personal
    }

    /// Notes a trip, if it is private; trips MUST come in order of their starts.
    public mutating func note(_ booked: BookedTrip) {
        if let whole = booked.mergedInto { parts[booked.id] = whole }
        guard Self.isPrivate(booked) else { return }
        trips.insert(booked.id)
        let end = booked.trip.endedAt?.timestamp ?? Timestamp(milliseconds: .max)
        // The latest end so far, so that one search finds whether any trip was under way.
        let latest = max(end, spans.last?.to ?? end)
        spans.append((from: booked.trip.startedAt.timestamp, to: latest))
    }

    /// Whether a trip is hidden, or is a part of one that is.
    public func contains(_ trip: TripID) -> Bool {
        trips.contains(trip) || parts[trip].map { trips.contains($0) } ?? false
    }

    /// Whether a hidden trip was under way at an instant, or began or ended then.
    public func areUnderWay(at instant: Timestamp) -> Bool {
        var range = 0..<spans.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if spans[middle].from <= instant {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound > 0 && spans[range.lowerBound - 1].to >= instant
    }
}
