import Projections
import Reports
import TripEvents
import TripTracking

/// What the trips of some stretch of time come to in a mileage log that people read.
struct MileagePart: Sendable {
    /// Their sums.
    private(set) var log: MileageLog

    /// Their lines; `nil` if only the sums are shown.
    private(set) var table: MileageTable?

    /// How many go on.
    private(set) var unfinished = 0

    /// Begins without trips.
    init(of log: MileageLog, table: MileageTable?) {
        self.log = log
        self.table = table
    }

    /// Adds a trip.
    mutating func add(_ booked: BookedTrip) {
        if booked.status == .active { unfinished += 1 }
        guard let line = log.line(of: booked) else { return }
        log.add(line)
        table?.add(line)
    }
}
