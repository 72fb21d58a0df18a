import RowCoding

/// Counts what a tracker was given and what became of it, so that fixes in no trip do not go
/// unnoticed.
struct FixTally: Hashable, Sendable {
    /// The fixes that the tracker was given.
    var taken: Int64 = 0

    /// The fixes in trips that are over.
    private(set) var inEndedTrips: Int64 = 0

    /// The trips that are over, whether completed or abandoned.
    private(set) var endedTrips: Int64 = 0

    /// Counts a trip that has ended.
    mutating func note(_ ended: Trip) {
        inEndedTrips += ended.fixes.total
        endedTrips += 1
    }
}

extension FixTally {
    /// Writes the counts.
    func write(to writer: inout RowEncoder) {
        writer.write(taken)
        writer.write(inEndedTrips)
        writer.write(endedTrips)
    }

    /// Reads counts.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            taken: try reader.readAmount(),
            inEndedTrips: try reader.readAmount(),
            endedTrips: try reader.readAmount()
        )
    }
}

extension Tracker {
    /// How many fixes of the source are in no trip, whether it counts or not.
    public var fixesInNoTrip: Int64 {
        tally.taken - tally.inEndedTrips - (openTrip?.fixes.total ?? 0)
    }

    /// Whether the source has had no trip so far, nor has one now.
    public var hasNoTrip: Bool { !stage.isOpen && tally.endedTrips == 0 }

    /// Whether the source has reported nothing so far that says when it drives: no press, no motion
    /// and no trip.
    public var hasFixesAlone: Bool { hasNoTrip && press == nil && motion == nil }
}
