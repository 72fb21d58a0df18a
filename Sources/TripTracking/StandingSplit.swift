public import TripEvents

/// A person's word that a trip was two, which nobody has taken back: what `trip_split` means for
/// trackers.
///
/// It is given to a tracker before the first of the source's events at ``at`` or after it, so that
/// a fix at that very instant is one of the second trip.
public struct StandingSplit: Hashable, Sendable {
    /// The trips that it divides, of which at most one is under way at ``at``.
    ///
    /// These are the one that was split, and those that splits decided later have taken from it.
    public let trips: [TripID]

    /// The id of the second trip.
    public let made: TripID

    /// Where the second one starts.
    public let at: Timestamp

    /// When the ledger stored the event that splits.
    public let recordedAt: Timestamp

    /// Creates a split.
    public init(trips: [TripID], made: TripID, at: Timestamp, recordedAt: Timestamp) {
        self.trips = trips
        self.made = made
        self.at = at
        self.recordedAt = recordedAt
    }
}

extension StandingSplit {
    /// Writes the split.
    func write(to writer: inout StateWriter) {
        writer.write(UInt64(trips.count))
        for trip in trips {
            writer.write(trip)
        }
        writer.write(made)
        writer.write(at)
        writer.write(recordedAt)
    }

    /// Reads a split.
    init(from reader: inout StateReader) throws(StateError) {
        var trips: [TripID] = []
        for _ in 0..<(try reader.readUInt64()) {
            trips.append(try reader.readTripID())
        }
        self.init(
            trips: trips,
            made: try reader.readTripID(),
            at: try reader.readTimestamp(),
            recordedAt: try reader.readTimestamp()
        )
    }
}
