import Projections
import Reports
import TripTracking

/// What some trips come to in a mileage log.
struct MileageBatch: Sendable {
    /// The lines of those that are in it.
    private(set) var lines: [MileageLine] = []

    /// How many go on.
    private(set) var unfinished = 0

    /// Adds a trip.
    mutating func add(_ booked: BookedTrip, of log: MileageLog) {
        if booked.status == .active { unfinished += 1 }
        if let line = log.line(of: booked) { lines.append(line) }
    }

    /// Empties the batch, to use its memory again.
    mutating func removeAll() {
        lines.removeAll(keepingCapacity: true)
        unfinished = 0
    }
}
