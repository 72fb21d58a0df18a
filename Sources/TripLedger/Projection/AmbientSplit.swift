import TripEvents
import TripTracking

/// What is known of a split beside its place in event order.
struct AmbientSplit: Hashable, Sendable {
    /// Where a split that stands takes effect.
    struct Target: Hashable, Sendable {
        /// The source whose tracker is given it: the one that measured the trip.
        var source: String

        /// The trips that it divides.
        var trips: [TripID]
    }

    /// The trip that was split.
    let trip: TripID

    /// The id of the second trip.
    let made: TripID

    /// When the ledger stored it.
    let recordedAt: Timestamp

    /// Where it takes effect; `nil` if it was taken back, or if nobody measured such a trip.
    var target: Target?

    /// Creates a split of which only the event is known.
    init(_ split: TripSplit, _ stored: StoredEvent) {
        trip = split.trip
        made = TripID(openedBy: stored.identity)
        recordedAt = stored.recordedAt
    }

    /// Reads a split.
    init(from reader: inout StateReader) throws(StateError) {
        trip = try reader.readTripID()
        made = try reader.readTripID()
        recordedAt = try reader.readTimestamp()
        target = try reader.readOptional { reader throws(StateError) in
            let source = try reader.readText()
            var trips: [TripID] = []
            for _ in 0..<(try reader.readAmount()) {
                trips.append(try reader.readTripID())
            }
            return Target(source: source, trips: trips)
        }
    }

    /// Writes the split.
    func write(to writer: inout StateWriter) {
        writer.write(trip)
        writer.write(made)
        writer.write(recordedAt)
        writer.write(target) { writer, target in
            writer.write(target.source)
            writer.write(UInt64(target.trips.count))
            for trip in target.trips {
                writer.write(trip)
            }
        }
    }
}
